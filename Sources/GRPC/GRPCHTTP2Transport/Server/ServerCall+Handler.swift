import EventLoop
import GRPCCore

/// Running the method's handler, in a task on the connection's loop.
extension ServerCall {
  func runUnary() {
    handlerDidStart()
    let task = loop.startTask { await self.handleUnary() }
    if handlerIsRunning { self.task = task }
  }

  func runStreaming() {
    let inbound = ServerInbound(call: self)
    inbound.append(metadata)
    self.inbound = inbound
    handlerDidStart()
    let task = loop.startTask { await self.handleStreaming() }
    if handlerIsRunning { self.task = task }
  }

  private func handleUnary() async {
    guard let route, case .unary(let handler) = route.handler, let message, let cancellation else {
      return
    }
    self.message = nil
    let reply = await handler(
      metadata, message, connection.context(for: self, route: route, cancellation: cancellation))
    if loop.inEventLoop {
      handlerDidEnd(reply)
    } else {
      loop.execute { self.handlerDidEnd(reply) }
    }
  }

  private func handleStreaming() async {
    guard let route, case .streaming(let handler) = route.handler, let inbound, let cancellation
    else { return }
    let stream = RPCStream(
      descriptor: route.descriptor, inbound: ServerInbound.Stream(source: inbound),
      outbound: ServerOutbound.Stream(wrapping: ServerOutbound(call: self)))
    await handler(
      stream, connection.context(for: self, route: route, cancellation: cancellation))
    onLoop {
      self.finish(.endedWithoutStatus)
      self.handlerDidEnd()
    }
  }

  /// A handler's task resumes on its loop, unless that was shut down meanwhile.
  func onLoop(_ body: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { body() } else { loop.execute(body) }
  }

  private func handlerDidStart() {
    phase = .running
    handlerIsRunning = true
    cancellation = ServerContext.RPCCancellationHandle { self.cancelByHandler() }
    connection.handlerDidStart()
  }

  private func handlerDidEnd(_ reply: UnaryReply<[UInt8]>) {
    finish(reply)
    handlerDidEnd()
  }

  private func handlerDidEnd() {
    handlerIsRunning = false
    task = nil
    // Both hold the call in turn. The call is answered, so that what still comes is for nobody.
    cancellation = nil
    inbound = nil
    connection.handlerDidEnd()
  }
}

extension Status {
  static let endedWithoutStatus = Status(
    code: .internalError, message: "The handler has ended without a status.")
}
