import EventLoop
import GRPCCore
import Synchronization

/// The request of a streaming call, as its handler iterates it.
///
/// The stream's flow-control window is given back as parts are taken, so a handler that does not
/// read stops its client. What can wait here is one message, a window, and a DATA frame's worth
/// of messages more.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone; `next()`
/// goes there if it is called elsewhere.
final class ServerInbound: RPCInboundSource<RPCRequestPart<[UInt8]>>, @unchecked Sendable {
  typealias Part = RPCRequestPart<[UInt8]>
  typealias Stream = RPCAsyncSequence<Part, any Error>

  private enum End {
    case open
    case ended
    case failed(any Error)
  }

  /// A part as it was sent.
  private struct Received {
    var part: Part
    var isCompressed: Bool
  }

  private enum Poll {
    case part(Part)
    case ended
    case failed(any Error)
    case empty
  }

  let call: ServerCall
  private var parts = Queue<Received>()
  /// Of the part that was taken last. Its taker has asked for no other when it looks here.
  private var latestTakenIsCompressed = false
  private var end = End.open
  private var waiting: (id: Int, continuation: UnsafeContinuation<Part?, any Error>)?
  private static let ownTaskWaitID = 0
  private let waitIDs = Atomic<Int>(ownTaskWaitID)
  /// A wait whose cancellation overtook it on the way to the loop.
  private var cancelledWaitID: Int?
  /// Bytes that came while parts were waiting, whose window is not given back yet.
  private var withheld = 0

  init(call: ServerCall) {
    self.call = call
  }

  override func next() async throws -> Part? {
    if call.loop.inEventLoop {
      switch poll() {
      case .part(let part): return part
      case .ended: return nil
      case .failed(let error): throw error
      case .empty: break
      }
    }
    guard call.isOwnTask else { return try await nextInOtherTask() }
    // The call's own task is cancelled by the call, which then fails its reads.
    try Task.checkCancellation()
    return try await withUnsafeThrowingContinuation { wait(Self.ownTaskWaitID, $0) }
  }

  private func nextInOtherTask() async throws -> Part? {
    let id = waitIDs.wrappingAdd(1, ordering: .relaxed).newValue
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        call.onLoop { self.wait(id, continuation) }
      }
    } onCancel: {
      call.loop.execute { self.cancelWait(id) }
    }
  }

  override var latestIsCompressed: Bool { latestTakenIsCompressed }

  func append(_ metadata: Metadata) {
    deliver(Received(part: .metadata(metadata), isCompressed: false))
  }

  func append(_ message: [UInt8], isCompressed: Bool) {
    deliver(Received(part: .message(message), isCompressed: isCompressed))
  }

  /// All messages in so many bytes have been appended.
  func didTake(_ count: Int) {
    if parts.isEmpty {
      call.connection.session.consume(count, on: call)
    } else {
      withheld += count
    }
  }

  func finish() {
    guard case .open = end else { return }
    end = .ended
    resume(returning: nil)
  }

  /// Makes the handler's reads fail, those of what is there already included.
  func fail(_ error: any Error) {
    if case .failed = end { return }
    end = .failed(error)
    parts.removeAll()
    let waiting = self.waiting
    self.waiting = nil
    waiting?.continuation.resume(throwing: error)
  }

  /// Nothing comes any more: makes the reads fail that would wait for it.
  func close() {
    guard case .open = end else { return }
    let error = RPCError(
      code: .cancelled, message: "The call was over before its request had ended.")
    end = .failed(error)
    let waiting = self.waiting
    self.waiting = nil
    waiting?.continuation.resume(throwing: error)
  }

  private func deliver(_ received: Received) {
    guard case .open = end else { return }
    if waiting != nil {
      // Where it cannot be read, the call has failed, and so has who waited.
      if let part = content(of: received) { resume(returning: part) }
    } else {
      parts.append(received)
    }
  }

  private func resume(returning part: Part?) {
    let waiting = self.waiting
    self.waiting = nil
    waiting?.continuation.resume(returning: part)
  }

  private func poll() -> Poll {
    if let received = parts.popFirst() {
      giveBack(received.part)
      if let part = content(of: received) { return .part(part) }
    }
    switch end {
    case .open: return .empty
    case .ended: return .ended
    case .failed(let error): return .failed(error)
    }
  }

  /// Decompresses a part that is about to be taken.
  private func content(of received: Received) -> Part? {
    latestTakenIsCompressed = received.isCompressed
    guard received.isCompressed, case .message(let message) = received.part else {
      return received.part
    }
    return call.content(of: message, isCompressed: true).map { .message($0) }
  }

  private func giveBack(_ part: Part) {
    guard withheld > 0 else { return }
    var size = withheld
    if !parts.isEmpty {
      // Nothing is withheld for metadata: all of it is for what still waits.
      guard case .message(let message) = part else { return }
      size = min(size, OutboundMessages.prefixSize + message.count)
    }
    withheld -= size
    call.connection.session.consume(size, on: call)
    call.connection.setNeedsFlush()
  }

  private func wait(_ id: Int, _ continuation: UnsafeContinuation<Part?, any Error>) {
    switch poll() {
    case .part(let part): continuation.resume(returning: part)
    case .ended: continuation.resume(returning: nil)
    case .failed(let error): continuation.resume(throwing: error)
    case .empty:
      if cancelledWaitID == id {
        continuation.resume(throwing: CancellationError())
      } else if waiting != nil {
        continuation.resume(
          throwing: RPCError(
            code: .internalError, message: "A request is iterated by one task at a time."))
      } else {
        waiting = (id, continuation)
      }
    }
  }

  private func cancelWait(_ id: Int) {
    if let waiting, waiting.id == id {
      self.waiting = nil
      waiting.continuation.resume(throwing: CancellationError())
    } else {
      cancelledWaitID = id
    }
  }
}
