extension Metadata.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a text value.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension Metadata.Value: ExpressibleByArrayLiteral {
  /// Creates a binary value.
  public init(arrayLiteral elements: UInt8...) {
    self = .binary(elements)
  }
}

extension Metadata.Value: CustomStringConvertible {
  /// The text, or the bytes in base64.
  public var description: String { encoded() }
}

extension Metadata.Value {
  /// The value as it stands in a header: text as it is, bytes in base64.
  ///
  /// - Returns: The field's value.
  public func encoded() -> String {
    switch self {
    case .string(let string): string
    case .binary(let bytes): Base64.encode(bytes)
    }
  }
}
