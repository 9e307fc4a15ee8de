extension Metadata {
  /// The values of one key, in order.
  public struct Values: Sequence, Sendable {
    let metadata: Metadata
    let key: String

    /// Goes through the values.
    public struct Iterator: IteratorProtocol {
      let metadata: Metadata
      let key: String
      var position = 0

      /// The next value of the key.
      public mutating func next() -> Value? {
        while position < metadata.pairs.count {
          defer { position += 1 }
          if metadata.pairs[position].key.isEqualIgnoringCase(to: key) {
            return metadata.pairs[position].value
          }
        }
        return nil
      }
    }

    /// Starts at the first value.
    public func makeIterator() -> Iterator { Iterator(metadata: metadata, key: key) }
  }

  /// The values of one key as text: binary values in base64.
  public struct StringValues: Sequence, Sendable {
    let values: Values

    /// Goes through the values.
    public struct Iterator: IteratorProtocol {
      var values: Values.Iterator

      /// The next value of the key.
      public mutating func next() -> String? { values.next()?.encoded() }
    }

    /// Starts at the first value.
    public func makeIterator() -> Iterator { Iterator(values: values.makeIterator()) }
  }

  /// The values of one key as bytes: text is decoded from base64, and left out where it is not that.
  public struct BinaryValues: Sequence, Sendable {
    let values: Values

    /// Goes through the values.
    public struct Iterator: IteratorProtocol {
      var values: Values.Iterator

      /// The next value of the key.
      public mutating func next() -> [UInt8]? {
        while let value = values.next() {
          switch value {
          case .binary(let bytes): return bytes
          case .string(let string):
            if let bytes = Base64.decode(string) { return bytes }
          }
        }
        return nil
      }
    }

    /// Starts at the first value.
    public func makeIterator() -> Iterator { Iterator(values: values.makeIterator()) }
  }

  /// The values of a key.
  public subscript(_ key: String) -> Values { Values(metadata: self, key: key) }

  /// The values of a key as text.
  public subscript(stringValues key: String) -> StringValues { StringValues(values: self[key]) }

  /// The values of a key as bytes.
  public subscript(binaryValues key: String) -> BinaryValues { BinaryValues(values: self[key]) }
}
