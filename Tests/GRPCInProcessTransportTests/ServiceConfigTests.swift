import GRPCCore
import GRPCInProcessTransport
import Testing

/// What a service's configuration does to calls in one process.
@Suite(.timeLimit(.minutes(1))) struct ServiceConfigTests {
  private let method = MethodDescriptor(fullyQualifiedService: "test.Bytes", method: "Call")

  private func transport(_ change: (inout MethodConfig) -> Void) -> InProcessTransport {
    var config = MethodConfig(names: [MethodConfig.Name(service: "test.Bytes")])
    change(&config)
    return InProcessTransport(serviceConfig: ServiceConfig(methodConfig: [config]))
  }

  /// How a call ends whose message is sent back.
  private func call(
    _ transport: InProcessTransport, options: CallOptions = .defaults
  ) async throws -> UnaryOutcome<[UInt8]> {
    var router = RPCRouter<InProcessTransport.Server>()
    router.registerUnaryHandler(
      forMethod: method, deserializer: Coding(), serializer: Coding()
    ) { request, context in
      ServerResponse(
        message: request.message, metadata: ["timed": "\(context.deadline != nil)"])
    }
    return await withDiscardingTaskGroup { [router] group in
      group.addTask { try? await transport.server.listen(router: router) }
      group.addTask { try? await transport.client.connect() }
      defer {
        transport.client.beginGracefulShutdown()
        transport.server.beginGracefulShutdown()
      }
      return await transport.client.unary(
        descriptor: method, options: options, metadata: [:], message: [1, 2, 3, 4])
    }
  }

  private struct Coding: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes {
      Bytes(message)
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
      bytes.withUnsafeBytes { Array($0) }
    }
  }

  @Test func theNearestNameHolds() {
    let transport = transport { $0.waitForReady = true }
    #expect(transport.client.config(forMethod: method)?.waitForReady == true)
    let other = MethodDescriptor(fullyQualifiedService: "test.Other", method: "Call")
    #expect(transport.client.config(forMethod: other) == nil)
    #expect(InProcessTransport().client.config(forMethod: method) == nil)
  }

  /// Of the configuration's timeout and the call's own the shorter one counts.
  @Test(
    arguments: [
      (nil, nil, "false"), (.seconds(600), nil, "true"), (.zero, nil, nil),
      (.seconds(600), .zero, nil), (.zero, .seconds(600), nil),
    ] as [(Duration?, Duration?, String?)])
  func callsHaveTheirTimeout(configured: Duration?, own: Duration?, timed: String?) async throws {
    let transport = transport { $0.timeout = configured }
    var options = CallOptions.defaults
    options.timeout = own
    let outcome = try await call(transport, options: options)
    #expect(failure(of: outcome) == (timed == nil ? .deadlineExceeded : nil))
    guard case .accepted(let answer) = outcome else { return }
    #expect(Array(answer.metadata[stringValues: "timed"]) == [timed])
  }

  /// Of limits the lower one counts.
  @Test(
    arguments: [
      (4, nil, nil, true), (3, nil, nil, false), (4, nil, 3, false), (3, nil, 4, false),
      (nil, 4, nil, true), (nil, 3, nil, false), (nil, 4, 3, false), (nil, 3, 4, false),
    ] as [(Int?, Int?, Int?, Bool)])
  func messagesAreLimited(request: Int?, response: Int?, own: Int?, isSmall: Bool) async throws {
    let transport = transport {
      $0.maxRequestMessageBytes = request
      $0.maxResponseMessageBytes = response
    }
    var options = CallOptions.defaults
    if request != nil { options.maxRequestMessageBytes = own }
    if response != nil { options.maxResponseMessageBytes = own }
    let outcome = try await call(transport, options: options)
    #expect(failure(of: outcome) == (isSmall ? nil : .resourceExhausted))
  }

  private func failure(of outcome: UnaryOutcome<[UInt8]>) -> RPCError.Code? {
    switch outcome {
    case .rejected(let error): return error.code
    case .accepted(let answer):
      if case .failure(let error) = answer.message { return error.code }
      return nil
    }
  }
}
