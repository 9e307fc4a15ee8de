/// A value on the heap, copied when it is changed: generated code uses it for fields whose type
/// contains itself or is large.
@frozen
public struct Indirect<Value: Hashable & Sendable>: Hashable, Sendable {
  // An array of one is the safe form of a reference-counted box.
  @usableFromInline
  var storage: [Value]

  /// Puts `value` in a box.
  @inlinable
  public init(_ value: Value) {
    storage = [value]
  }

  /// The value in the box.
  @inlinable
  public var value: Value {
    get { storage[0] }
    set { storage[0] = newValue }
  }
}
