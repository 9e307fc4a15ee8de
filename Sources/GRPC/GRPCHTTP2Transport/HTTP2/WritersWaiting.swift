/// Writers of one call that wait until some of its output is sent.
struct WritersWaiting {
  typealias Continuation = UnsafeContinuation<Void, any Error>

  /// The writer that is the call's own task; others count on from here.
  static let ownTaskID = 0

  private var writers: [(id: Int, continuation: Continuation)] = []
  /// Writers whose cancellation overtook them on the way to the loop.
  private var cancelledIDs: Set<Int> = []

  var isEmpty: Bool { writers.isEmpty }

  mutating func add(_ id: Int, _ continuation: Continuation) {
    if cancelledIDs.remove(id) != nil {
      continuation.resume(throwing: CancellationError())
    } else {
      writers.append((id, continuation))
    }
  }

  mutating func resumeAll() {
    let all = writers
    writers.removeAll()
    for writer in all { writer.continuation.resume() }
  }

  mutating func failAll(_ error: any Error) {
    let all = writers
    writers.removeAll()
    for writer in all { writer.continuation.resume(throwing: error) }
  }

  mutating func cancel(_ id: Int) {
    if let index = writers.firstIndex(where: { $0.id == id }) {
      writers.remove(at: index).continuation.resume(throwing: CancellationError())
    } else {
      cancelledIDs.insert(id)
    }
  }
}
