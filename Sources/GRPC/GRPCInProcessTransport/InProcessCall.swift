import GRPCCore
import Synchronization

/// One call, as both ends share it.
///
/// It is over when the server has finished its answer or either end has given up, whichever comes
/// first; what comes later has no effect.
final class InProcessCall: Sendable {
  typealias Bytes = [UInt8]

  let descriptor: MethodDescriptor
  let deadline: ContinuousClock.Instant?
  let requests: BoundedPipe<RPCRequestPart<Bytes>>
  let responses: BoundedPipe<RPCResponsePart<Bytes>>
  private let options: CallOptions
  private let clock: DeadlineClock
  private let state = Mutex(State.open(handler: nil))

  private enum State {
    case open(handler: RunningHandler?)
    case over
  }

  private struct RunningHandler {
    var task: Task<Void, Never>
    var cancellation: ServerContext.RPCCancellationHandle
  }

  init(
    descriptor: MethodDescriptor, options: CallOptions, deadline: ContinuousClock.Instant?,
    clock: DeadlineClock
  ) {
    self.descriptor = descriptor
    self.options = options
    self.deadline = deadline
    self.clock = clock
    let cancelled: @Sendable () -> RPCError = {
      Self.cancellation("The task was cancelled.", deadline, clock)
    }
    requests = BoundedPipe(cancelled: cancelled)
    responses = BoundedPipe(cancelled: cancelled)
  }

  /// What a call that is cancelled fails with: one that is late as well is late, however it ends.
  func cancellation(_ message: String) -> RPCError {
    Self.cancellation(message, deadline, clock)
  }

  private static func cancellation(
    _ message: String, _ deadline: ContinuousClock.Instant?, _ clock: DeadlineClock
  ) -> RPCError {
    if let deadline, deadline <= clock.now { return .deadlineHasPassed }
    return RPCError(code: .cancelled, message: message)
  }

  /// Gives the call up, at both ends.
  func end(_ error: RPCError) {
    guard let handler = takeHandler() else { return }
    requests.fail(error)
    responses.fail(error)
    handler.running?.task.cancel()
    handler.running?.cancellation.cancel()
  }

  /// The server's answer is complete.
  func finish() {
    guard takeHandler() != nil else { return }
    responses.finish()
    requests.fail(
      RPCError(code: .cancelled, message: "The server has ended the call and reads no more."))
  }

  /// Runs the server's handler until it returns, and cancels it where the call ends before.
  func handle(by handler: @escaping InProcessTransport.Server.Handler) async {
    let cancellation = ServerContext.RPCCancellationHandle { [weak self] in
      guard let self else { return }
      end(self.cancellation("The server cancelled the call."))
    }
    let context = ServerContext(
      descriptor: descriptor, remotePeer: InProcessTransport.Client.name,
      localPeer: InProcessTransport.Server.name, cancellation: cancellation, deadline: deadline)
    let stream = RPCStream(
      descriptor: descriptor, inbound: RPCAsyncSequence(source: requests),
      outbound: RPCWriter.Closable(wrapping: ResponseWriter(call: self)))
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .open = state else { return nil }
      let task = Task {
        await handler(stream, context)
        finish()
      }
      state = .open(handler: RunningHandler(task: task, cancellation: cancellation))
      return task
    }
    guard let task else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      end(RPCError(code: .unavailable, message: "The server was stopped during the call."))
    }
  }

  func write(_ part: RPCRequestPart<Bytes>) async throws {
    if case .message(let bytes) = part, let limit = options.maxRequestMessageBytes {
      try check(bytes.count, limit, "request")
    }
    try await requests.write(part)
  }

  func write(_ part: RPCResponsePart<Bytes>) async throws {
    if case .message(let bytes) = part, let limit = options.maxResponseMessageBytes {
      try check(bytes.count, limit, "response")
    }
    try await responses.write(part)
  }

  private func check(_ size: Int, _ limit: Int, _ kind: String) throws(RPCError) {
    guard size > limit else { return }
    let error = RPCError(
      code: .resourceExhausted,
      message: "A \(kind) message of \(size) bytes is larger than the \(limit) bytes allowed.")
    end(error)
    throw error
  }

  /// Takes the handler to cancel, once; `nil` where the call is over.
  private func takeHandler() -> (running: RunningHandler?, Void)? {
    state.withLock { state in
      guard case .open(let handler) = state else { return nil }
      state = .over
      return (handler, ())
    }
  }
}

extension RPCError {
  static var deadlineHasPassed: RPCError {
    RPCError(code: .deadlineExceeded, message: "The deadline passed before the call ended.")
  }
}

/// Where the client writes.
struct RequestWriter: ClosableRPCWriterProtocol {
  let call: InProcessCall

  func write(_ element: RPCRequestPart<[UInt8]>) async throws {
    try await call.write(element)
  }

  func write(contentsOf elements: some Sequence<RPCRequestPart<[UInt8]>>) async throws {
    for element in elements { try await call.write(element) }
  }

  func finish() async { call.requests.finish() }

  func finish(throwing error: any Error) async {
    call.end(
      error as? RPCError
        ?? RPCError(code: .cancelled, message: "The request could not be completed.", cause: error))
  }
}

/// Where the server writes.
struct ResponseWriter: ClosableRPCWriterProtocol {
  let call: InProcessCall

  func write(_ element: RPCResponsePart<[UInt8]>) async throws {
    try await call.write(element)
  }

  func write(contentsOf elements: some Sequence<RPCResponsePart<[UInt8]>>) async throws {
    for element in elements { try await call.write(element) }
  }

  func finish() async { call.finish() }

  func finish(throwing error: any Error) async {
    call.end(
      error as? RPCError
        ?? RPCError(code: .unknown, message: "The response could not be completed.", cause: error))
  }
}
