/// Calls that wait, in order, until they are sent or end while waiting.
///
/// A call that ends does not look for its place: it is passed over, or swept out before the queue has
/// doubled.
struct WaitingCalls {
  private var calls = Queue<ClientCall>()
  private var sweepAt = 64

  /// Whether no call waits any more.
  var isEmpty: Bool { calls.isEmpty || !calls.contains(where: \.isWaiting) }

  /// How many wait; takes as long as they are many.
  var count: Int { calls.count { $0.isWaiting } }

  mutating func append(_ call: ClientCall) {
    if calls.count >= sweepAt {
      calls.removeAll { !$0.isWaiting }
      sweepAt = max(64, 2 * calls.count)
    }
    calls.append(call)
  }

  mutating func popFirst() -> ClientCall? {
    while let call = calls.popFirst() {
      if call.isWaiting { return call }
    }
    return nil
  }

  /// Takes all calls out.
  mutating func takeAll() -> WaitingCalls {
    defer { self = WaitingCalls() }
    return self
  }
}
