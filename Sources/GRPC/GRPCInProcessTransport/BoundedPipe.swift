import GRPCCore
import Synchronization

/// One direction of a call: a queue of a few parts between a writer and a reader.
///
/// ```
/// open ──finish()──▶ finished (what is left can be read)
///   └───fail(_:)───▶ failed (what is left is dropped)
/// ```
final class BoundedPipe<Element: Sendable>: RPCInboundSource<Element>, @unchecked Sendable {
  // `@unchecked` holds because all that changes is behind the lock.
  private let state = Mutex(State.open(Open()))

  private struct Open {
    var buffer: [Element] = []
    var reader: CheckedContinuation<Element?, any Error>?
    /// Those whose elements had no room, the earliest first.
    var writers: [Writer] = []
    var nextWriter = 0
  }

  private struct Writer {
    var id: Int
    var element: Element
    var continuation: CheckedContinuation<Void, any Error>
  }

  private enum State {
    case open(Open)
    case finished(rest: [Element])
    case failed(RPCError)
  }

  /// What a task gets that is cancelled while it reads or writes.
  private let cancelled: @Sendable () -> RPCError

  init(cancelled: @escaping @Sendable () -> RPCError) {
    self.cancelled = cancelled
  }

  // MARK: Reading

  override func next() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (answer, writer) = state.withLock { read(&$0, continuation) }
        writer?.resume()
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let reader = state.withLock { state in Self.change(&state) { $0.reader.take() } ?? nil }
      reader?.resume(throwing: cancelled())
    }
  }

  /// Takes an element, or leaves the continuation until there is one.
  ///
  /// - Returns: What the reader gets, unless it must wait, and the writer that has room now.
  private func read(
    _ state: inout State, _ continuation: CheckedContinuation<Element?, any Error>
  ) -> (Result<Element?, any Error>?, CheckedContinuation<Void, any Error>?) {
    switch state {
    case .open(var open):
      defer { state = .open(open) }
      guard open.buffer.isEmpty else {
        let element = open.buffer.removeFirst()
        guard !open.writers.isEmpty else { return (.success(element), nil) }
        let writer = open.writers.removeFirst()
        open.buffer.append(writer.element)
        return (.success(element), writer.continuation)
      }
      guard !Task.isCancelled else { return (.failure(cancelled()), nil) }
      guard open.reader == nil else {
        let error = RPCError(code: .internalError, message: "Two tasks read the same call.")
        return (.failure(error), nil)
      }
      open.reader = continuation
      return (nil, nil)
    case .finished(var rest):
      guard !rest.isEmpty else { return (.success(nil), nil) }
      defer { state = .finished(rest: rest) }
      return (.success(rest.removeFirst()), nil)
    case .failed(let error):
      return (.failure(error), nil)
    }
  }

  // MARK: Writing

  /// Writes an element; suspends while there is no room.
  func write(_ element: Element) async throws {
    let id = state.withLock { state in
      Self.change(&state) { open in
        open.nextWriter += 1
        return open.nextWriter
      }
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let writer = Writer(id: id ?? 0, element: element, continuation: continuation)
        let (answer, reader) = state.withLock { write(&$0, writer) }
        reader?.resume(returning: element)
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let writer = state.withLock { state in
        Self.change(&state) { open in
          open.writers.firstIndex { $0.id == id }.map { open.writers.remove(at: $0) }
        } ?? nil
      }
      writer?.continuation.resume(throwing: cancelled())
    }
  }

  /// Hands an element to the reader, or puts it in the buffer, or leaves it with its writer.
  ///
  /// - Returns: What the writer gets, unless it must wait, and the reader that gets the element.
  private func write(
    _ state: inout State, _ writer: Writer
  ) -> (Result<Void, any Error>?, CheckedContinuation<Element?, any Error>?) {
    switch state {
    case .open(var open):
      defer { state = .open(open) }
      guard !Task.isCancelled else { return (.failure(cancelled()), nil) }
      if let reader = open.reader.take() { return (.success(()), reader) }
      guard open.buffer.count < InProcessTransport.bufferedParts else {
        open.writers.append(writer)
        return (nil, nil)
      }
      open.buffer.append(writer.element)
      return (.success(()), nil)
    case .finished:
      let error = RPCError(code: .internalError, message: "A part was written after the end.")
      return (.failure(error), nil)
    case .failed(let error):
      return (.failure(error), nil)
    }
  }

  // MARK: Ending

  /// Nothing follows what was written.
  func finish() {
    let open = state.withLock { state -> Open? in
      guard case .open(let open) = state else { return nil }
      state = .finished(rest: open.buffer + open.writers.map(\.element))
      return open
    }
    open?.reader?.resume(returning: nil)
    for writer in open?.writers ?? [] { writer.continuation.resume() }
  }

  /// Nothing can be written any longer, and what was written and not read is lost; no effect after
  /// the end.
  func fail(_ error: RPCError) {
    let open = state.withLock { state -> Open? in
      guard case .open(let open) = state else { return nil }
      state = .failed(error)
      return open
    }
    open?.reader?.resume(throwing: error)
    for writer in open?.writers ?? [] { writer.continuation.resume(throwing: error) }
  }

  private static func change<R>(_ state: inout State, _ body: (inout Open) -> R) -> R? {
    guard case .open(var open) = state else { return nil }
    defer { state = .open(open) }
    return body(&open)
  }
}
