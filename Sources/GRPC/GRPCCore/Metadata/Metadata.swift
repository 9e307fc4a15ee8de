/// Key-value pairs that travel with a call, beside its messages.
///
/// Keys are compared without regard to case and may occur several times; the order of the values of
/// one key is kept. A key that ends in `-bin` has binary values, which a transport carries in
/// base64; every other key has strings of printable ASCII.
public struct Metadata: Sendable, Hashable {
  /// A value: text, or bytes under a key that ends in `-bin`.
  public enum Value: Sendable, Hashable {
    case string(String)
    case binary([UInt8])
  }

  struct Pair: Sendable, Hashable {
    var key: String
    var value: Value
  }

  var pairs: [Pair] = []

  /// Creates metadata without a pair.
  public init() {}

  /// Makes room for pairs.
  ///
  /// - Parameter minimumCapacity: How many pairs to make room for.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    pairs.reserveCapacity(minimumCapacity)
  }

  /// Adds a text value.
  ///
  /// - Parameters:
  ///   - stringValue: The value.
  ///   - key: Its key.
  public mutating func addString(_ stringValue: String, forKey key: String) {
    addValue(.string(stringValue), forKey: key)
  }

  /// Adds a binary value.
  ///
  /// - Parameters:
  ///   - binaryValue: The value.
  ///   - key: Its key, which ends in `-bin`.
  public mutating func addBinary(_ binaryValue: [UInt8], forKey key: String) {
    addValue(.binary(binaryValue), forKey: key)
  }

  mutating func addValue(_ value: Value, forKey key: String) {
    pairs.append(Pair(key: key, value: value))
  }

  /// Adds all pairs of other metadata.
  ///
  /// - Parameter other: The pairs to add.
  public mutating func add(contentsOf other: Metadata) {
    if pairs.isEmpty {
      pairs = other.pairs
    } else {
      pairs.append(contentsOf: other.pairs)
    }
  }

  /// Removes all values of a key.
  ///
  /// - Parameter key: The key.
  public mutating func removeAllValues(forKey key: String) {
    pairs.removeAll { $0.key.isEqualIgnoringCase(to: key) }
  }

  /// Removes the pairs that a closure chooses.
  ///
  /// - Parameter predicate: Whether to remove a pair.
  public mutating func removeAll(where predicate: (Element) throws -> Bool) rethrows {
    try pairs.removeAll { try predicate(($0.key, $0.value)) }
  }

  /// Removes every pair.
  ///
  /// - Parameter keepingCapacity: Whether to keep the room for them.
  public mutating func removeAll(keepingCapacity: Bool) {
    pairs.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Adds a text value, in place of all that the key had.
  ///
  /// - Parameters:
  ///   - stringValue: The value.
  ///   - key: Its key.
  public mutating func replaceOrAddString(_ stringValue: String, forKey key: String) {
    replaceOrAddValue(.string(stringValue), forKey: key)
  }

  /// Adds a binary value, in place of all that the key had.
  ///
  /// - Parameters:
  ///   - binaryValue: The value.
  ///   - key: Its key, which ends in `-bin`.
  public mutating func replaceOrAddBinary(_ binaryValue: [UInt8], forKey key: String) {
    replaceOrAddValue(.binary(binaryValue), forKey: key)
  }

  mutating func replaceOrAddValue(_ value: Value, forKey key: String) {
    removeAllValues(forKey: key)
    addValue(value, forKey: key)
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  /// Creates metadata from pairs, whose keys may repeat.
  public init(dictionaryLiteral elements: (String, Value)...) {
    pairs = elements.map { Pair(key: $0, value: $1) }
  }
}

extension Metadata: ExpressibleByArrayLiteral {
  /// Creates metadata from pairs, whose keys may repeat.
  public init(arrayLiteral elements: (String, Value)...) {
    pairs = elements.map { Pair(key: $0, value: $1) }
  }
}

extension Metadata: RandomAccessCollection {
  /// A pair.
  public typealias Element = (key: String, value: Value)

  /// Where the first pair is.
  public var startIndex: Int { pairs.startIndex }

  /// The end of the pairs.
  public var endIndex: Int { pairs.endIndex }

  /// The pair at a position.
  public subscript(position: Int) -> Element {
    (pairs[position].key, pairs[position].value)
  }
}

extension Metadata: CustomStringConvertible {
  /// The pairs as a dictionary literal.
  public var description: String {
    isEmpty ? "[:]" : "[" + map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "]"
  }
}

extension String {
  /// Whether two keys are the same, since HTTP field names have no case.
  func isEqualIgnoringCase(to other: String) -> Bool {
    if self == other { return true }
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}
