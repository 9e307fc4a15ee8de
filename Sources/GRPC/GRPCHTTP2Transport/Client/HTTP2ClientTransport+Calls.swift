import GRPCCore

extension HTTP2ClientTransport {
  /// Makes a call whose messages are written and read one by one.
  ///
  /// - Parameters:
  ///   - descriptor: The method to call.
  ///   - options: The call's options.
  ///   - closure: Writes the request and reads the response. The call is cancelled if it is not over when this returns.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func withStream<T: Sendable>(
    descriptor: MethodDescriptor, options: CallOptions,
    _ closure: (RPCStream<Inbound, Outbound>, ClientContext) async throws -> T
  ) async throws -> T {
    let call = StreamingCall(channel: channel, method: descriptor, options: options)
    let stream = RPCStream(
      descriptor: descriptor,
      inbound: Inbound(source: StreamingCallSource(call)),
      outbound: Outbound(wrapping: StreamingCallWriter(call: call)))
    // No connection is chosen yet, so the target is what there is to say of the server.
    let context = ClientContext(
      descriptor: descriptor, remotePeer: targetName, localPeer: "")
    return try await withTaskCancellationHandler {
      defer { call.leave() }
      return try await closure(stream, context)
    } onCancel: {
      call.cancel()
    }
  }

  /// Makes a call with one request message and one response message.
  ///
  /// - Parameters:
  ///   - descriptor: The method to call.
  ///   - options: The call's options.
  ///   - metadata: The request's metadata.
  ///   - message: The request message.
  /// - Returns: The response, or the call's error.
  nonisolated(nonsending) public func unary(
    descriptor: MethodDescriptor, options: CallOptions, metadata: Metadata, message: [UInt8]
  ) async -> UnaryOutcome<[UInt8]> {
    let call = UnaryCall(
      channel: channel, method: descriptor, options: options, metadata: metadata, message: message)
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { call.start($0) }
    } onCancel: {
      call.cancel()
    }
  }
}
