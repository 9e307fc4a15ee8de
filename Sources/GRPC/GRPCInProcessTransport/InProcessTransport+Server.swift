import GRPCCore

extension InProcessTransport {
  /// The server's end.
  public struct Server: ServerTransport {
    /// Messages are arrays of bytes.
    public typealias Bytes = [UInt8]

    typealias Handler = @Sendable (RPCStream<Inbound, Outbound>, ServerContext) async -> Void

    static let name = "in-process:server"

    let link: InProcessLink

    /// Accepts calls until shutdown, and handles each with a closure.
    ///
    /// - Parameter streamHandler: Handles one call.
    /// - Throws: `RuntimeError` where the server runs or has run already.
    public func listen(
      streamHandler:
        @escaping @Sendable (
          _ stream: RPCStream<Inbound, Outbound>, _ context: ServerContext
        ) async -> Void
    ) async throws {
      let calls = try link.openServer()
      defer { link.closeServer() }
      await withTaskCancellationHandler {
        await withDiscardingTaskGroup { group in
          for await call in calls {
            group.addTask { await call.handle(by: streamHandler) }
          }
        }
      } onCancel: {
        // Not only when the handlers have ended: nobody takes calls any more.
        link.shutDownServer()
      }
    }

    /// Accepts calls until shutdown, and routes each by the router's table.
    ///
    /// - Parameter router: The methods to serve.
    /// - Throws: `RuntimeError` where the server runs or has run already.
    public func listen(router: RPCRouter<Self>) async throws {
      try await listen { stream, context in
        if case .unary(let handler) = router.route(forMethod: stream.descriptor) {
          await Self.serveUnary(stream, context, by: handler)
        } else {
          await router.handle(stream: stream, context: context)
        }
      }
    }

    /// Takes no new calls, and ends ``listen(router:)`` when those under way have ended.
    public func beginGracefulShutdown() {
      link.shutDownServer()
    }

    private static func serveUnary(
      _ stream: RPCStream<Inbound, Outbound>, _ context: ServerContext,
      by handler: RPCRoute.UnaryHandler
    ) async {
      let reply: UnaryReply
      do {
        let (metadata, message) = try await readUnary(stream.inbound)
        reply = await handler(metadata, message, context)
      } catch {
        reply = UnaryReply(
          error: error as? RPCError
            ?? RPCError(code: .unknown, message: "The request could not be read.", cause: error))
      }
      // A client that is gone needs no answer.
      if let message = reply.message {
        try? await stream.outbound.write(contentsOf: [.metadata(reply.metadata), .message(message)])
      }
      try? await stream.outbound.write(.status(reply.status, reply.trailingMetadata))
      await stream.outbound.finish()
    }

    /// Reads a request of exactly one message.
    private static func readUnary(_ inbound: Inbound) async throws -> (Metadata, Bytes) {
      var metadata: Metadata?
      var message: Bytes?
      for try await part in inbound {
        switch part {
        case .metadata(let initial): metadata = initial
        case .message(let bytes):
          guard message == nil else {
            throw RPCError(
              code: .unimplemented, message: "The request has several messages, and needs one.")
          }
          message = bytes
        }
      }
      guard let message else {
        throw RPCError(code: .unimplemented, message: "The request has no message, and needs one.")
      }
      return (metadata ?? [:], message)
    }
  }
}
