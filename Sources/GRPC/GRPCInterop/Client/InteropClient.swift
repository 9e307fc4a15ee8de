import GRPCCore

/// Runs cases against a server.
package struct InteropClient<Transport: ClientTransport>: Sendable {
  /// Opens a channel for as long as a closure runs.
  package typealias WithChannel =
    @Sendable (
      _ body: @Sendable (GRPCClient<Transport>) async throws -> Void
    ) async throws -> Void

  let withChannel: WithChannel
  let soak: SoakSettings
  private let probesCompression: Bool

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - soak: How the cases go that make many calls.
  ///   - probesCompression: Whether to make sure that the server can tell a message that came compressed, where
  ///     that matters.
  ///   - withChannel: Opens a channel to the server for as long as a closure runs.
  package init(
    soak: SoakSettings = SoakSettings(), probesCompression: Bool = true,
    withChannel: @escaping WithChannel
  ) {
    self.soak = soak
    self.probesCompression = probesCompression
    self.withChannel = withChannel
  }

  /// Runs a case.
  ///
  /// - Parameter interopCase: The case.
  /// - Throws: ``InteropFailure`` where something is not as the case wants it; `RPCError` where a
  ///   call fails that should not.
  package func run(_ interopCase: InteropCase) async throws {
    if interopCase == .channelSoak { return try await channelSoak() }
    try await withChannel { client in
      let channel = InteropChannel(client: client, probesCompression: probesCompression)
      switch interopCase {
      case .emptyUnary: try await channel.emptyUnary()
      case .cacheableUnary: try await channel.cacheableUnary()
      case .largeUnary: try await channel.largeUnary()
      case .clientCompressedUnary: try await channel.clientCompressedUnary()
      case .serverCompressedUnary: try await channel.serverCompressedUnary()
      case .clientStreaming: try await channel.clientStreaming()
      case .clientCompressedStreaming: try await channel.clientCompressedStreaming()
      case .serverStreaming: try await channel.serverStreaming()
      case .serverCompressedStreaming: try await channel.serverCompressedStreaming()
      case .pingPong: try await channel.pingPong()
      case .emptyStream: try await channel.emptyStream()
      case .customMetadata: try await channel.customMetadata()
      case .statusCodeAndMessage: try await channel.statusCodeAndMessage()
      case .specialStatusMessage: try await channel.specialStatusMessage()
      case .unimplementedMethod: try await channel.unimplementedMethod()
      case .unimplementedService: try await channel.unimplementedService()
      case .cancelAfterBegin: try await channel.cancelAfterBegin()
      case .cancelAfterFirstResponse: try await channel.cancelAfterFirstResponse()
      case .timeoutOnSleepingServer: try await channel.timeoutOnSleepingServer()
      case .concurrentLargeUnary: try await channel.concurrentLargeUnary()
      case .rpcSoak, .longLivedChannel: try await rpcSoak(on: channel)
      case .channelSoak: break
      }
    }
  }
}

/// The cases of one channel.
struct InteropChannel<Transport: ClientTransport>: Sendable {
  let client: GRPCClient<Transport>
  var probesCompression = true

  var test: Grpc_Testing_TestService.Client<Transport> { .init(wrapping: client) }

  /// Fails the case unless a call fails as it should.
  ///
  /// - Returns: How the call failed.
  @discardableResult
  func expectFailure(
    _ code: RPCError.Code, _ call: () async throws -> Void
  ) async throws -> RPCError {
    do {
      try await call()
    } catch let error as RPCError {
      try checkEqual(error.code, code, "The status of the call")
      return error
    }
    throw InteropFailure("The call succeeded, and should end with \(code).")
  }
}
