import Synchronization

/// Counts from zero.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// How often ``next()`` was called.
  var count: Int { value.load(ordering: .relaxed) }

  /// - Returns: How often this was called before.
  func next() -> Int {
    value.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}
