import GRPCCore

extension InProcessTransport {
  /// The client's end.
  public struct Client: ClientTransport {
    /// Messages are arrays of bytes.
    public typealias Bytes = [UInt8]

    static let name = "in-process:client"

    let link: InProcessLink
    let clock: DeadlineClock
    let methodConfigs: MethodConfigs

    /// What the service's configuration says of calls of a method.
    ///
    /// - Parameter descriptor: The method.
    /// - Returns: The configuration, if there is one.
    public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? {
      methodConfigs[descriptor]
    }

    /// Lets calls through until a shutdown has drained those under way, or until the task is
    /// cancelled, which cancels them. Calls made earlier wait.
    ///
    /// - Throws: `RuntimeError` where the client runs or has run already.
    public func connect() async throws {
      try await link.runClient()
    }

    /// Takes no new calls, and ends ``connect()`` when those under way have ended.
    public func beginGracefulShutdown() {
      link.shutDownClient()
    }

    /// Opens a stream for a call and closes it when the closure ends.
    ///
    /// - Parameters:
    ///   - descriptor: The method to call.
    ///   - options: What the caller wants of the call.
    ///   - closure: Uses the stream.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, or `RPCError` where an end is shut down or the deadline
    ///   has passed.
    public func withStream<T: Sendable>(
      descriptor: MethodDescriptor, options: CallOptions,
      _ closure: (
        _ stream: RPCStream<Inbound, Outbound>, _ context: ClientContext
      ) async throws -> T
    ) async throws -> T {
      var options = options
      if let config = methodConfigs[descriptor] { options.merge(config) }
      let now = clock.now
      let deadline = options.deadline(from: now)
      if let deadline, deadline <= now { throw RPCError.deadlineHasPassed }
      let call = InProcessCall(
        descriptor: descriptor, options: options, deadline: deadline, clock: clock)
      try link.open(call)
      let timer = deadline.map { deadline in
        Task {
          try await clock.sleep(until: deadline)
          call.end(.deadlineHasPassed)
        }
      }
      defer {
        timer?.cancel()
        call.end(call.cancellation("The client has ended the call."))
        link.close(call)
      }
      return try await withTaskCancellationHandler {
        try await closure(
          RPCStream(
            descriptor: descriptor, inbound: RPCAsyncSequence(source: call.responses),
            outbound: RPCWriter.Closable(wrapping: RequestWriter(call: call))),
          ClientContext(descriptor: descriptor, remotePeer: Server.name, localPeer: Self.name))
      } onCancel: { [cause = options.cancellationCause] in
        call.end(cause?.error ?? call.cancellation("The client cancelled the call."))
      }
    }
  }
}
