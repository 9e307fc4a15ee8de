import GRPCCore

extension Metadata {
  /// Adds a header field as metadata: text, or for a `-bin` key the bytes it encodes, of which a
  /// field may hold several between commas ("gRPC over HTTP2", Custom-Metadata).
  ///
  /// A binary value that is not Base64 is left out.
  mutating func addField(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    let key = String(decoding: name, as: UTF8.self)
    guard name.ends(with: "-bin") else {
      return addString(String(decoding: value, as: UTF8.self), forKey: key)
    }
    for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      if let bytes = Base64.decode(part) { addBinary(bytes, forKey: key) }
    }
  }
}

extension HeaderList {
  /// Adds metadata.
  ///
  /// What would break the request or response for the peer is left out: keys that are the
  /// protocol's own, and keys and values with bytes that a header field cannot have.
  mutating func append(_ metadata: Metadata) {
    for (key, value) in metadata {
      var key = key.utf8.contains(where: Self.isUpperCase) ? key.lowercased() : key
      let isUsable = key.withUTF8 { key in
        key.allSatisfy(Self.isKeyByte) && Self.isMetadata(GRPCHeader(key))
      }
      guard isUsable else { continue }
      switch value {
      case .string(let text):
        if text.utf8.allSatisfy(Self.isValueByte) { append(key.utf8, text.utf8) }
      case .binary(let bytes):
        append(key.utf8, Base64.encode(bytes, isPadded: false).utf8)
      }
    }
  }

  /// Whether a handler or caller may send the field. A handler says in its trailers when to try again.
  private static func isMetadata(_ header: GRPCHeader) -> Bool {
    switch header {
    case .metadata, .retryPushback: true
    default: false
    }
  }

  private static func isUpperCase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Lower-case letters, digits and `_-.`, of which gRPC's keys consist.
  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// Printable ASCII, of which gRPC's text values consist.
  private static func isValueByte(_ byte: UInt8) -> Bool {
    (0x20...0x7e).contains(byte)
  }
}
