import EventLoop
import GRPCCore

/// Running the method's handler, by a worker of the connection's loop.
extension ServerCall {
  func runUnary() {
    run(self)
  }

  func runStreaming() {
    let inbound = ServerInbound(call: self)
    inbound.append(metadata)
    self.inbound = inbound
    run(inbound)
  }

  private func run(_ work: any LoopWork) {
    guard let route else { return }
    phase = .running
    handlerIsRunning = true
    context = connection.context(for: self, route: route)
    connection.handlerDidStart()
    guard let worker = loop.run(work) else { return }
    self.worker = worker
    // It may have been cancelled by its own handler, before that first waited.
    if failure != nil { worker.cancel() }
  }

  /// Whether this is the task that the handler was called in, on the loop.
  var isOwnTask: Bool { loop.inEventLoop && worker?.isCurrentTask == true }

  /// A handler's task resumes on its loop, unless that was shut down meanwhile.
  func onLoop(_ body: @escaping @Sendable () -> Void) {
    if loop.inEventLoop { body() } else { loop.execute(body) }
  }

  fileprivate func handlerDidEnd() {
    handlerIsRunning = false
    worker = nil
    // Both hold the call in turn. The call is answered, so that what still comes is for nobody.
    context = nil
    inbound?.close()
    inbound = nil
    connection.handlerDidEnd()
  }
}

/// Handling a unary call.
extension ServerCall: LoopWork {
  nonisolated(nonsending) func run(by worker: LoopWorker) async {
    guard case .unary(let handler) = route?.handler, let message = message.take(), let context
    else { return }
    let reply = await handler(metadata, message, context)
    onLoop {
      self.finish(reply)
      self.handlerDidEnd()
    }
  }
}

/// Handling a streaming call: apart from a unary one's, so that neither has the other's frame.
extension ServerInbound: LoopWork {
  nonisolated(nonsending) func run(by worker: LoopWorker) async {
    guard let route = call.route, case .streaming(let handler) = route.handler,
      let context = call.context
    else { return }
    call.worker = worker
    await handler(stream(of: route), context)
    call.onLoop {
      self.call.finish(.endedWithoutStatus)
      self.call.handlerDidEnd()
    }
  }

  private func stream(of route: ServerRoute) -> RPCRoute.Stream {
    RPCStream(
      descriptor: route.descriptor, inbound: Stream(source: self),
      outbound: ServerOutbound.Stream(wrapping: ServerOutbound(call: call)))
  }
}

extension Status {
  static let endedWithoutStatus = Status(
    code: .internalError, message: "The handler has ended without a status.")
}
