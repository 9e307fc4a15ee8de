import GRPCCore

extension Metadata {
  /// Adds a header field as metadata: text, or for a `-bin` key the bytes it encodes, of which a
  /// field may hold several between commas ("gRPC over HTTP2", Custom-Metadata).
  ///
  /// - Returns: Whether that was possible; false for a binary value that is not Base64.
  mutating func addField(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let key = String(decoding: name, as: UTF8.self)
    guard name.ends(with: "-bin") else {
      addString(String(decoding: value, as: UTF8.self), forKey: key)
      return true
    }
    for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard let bytes = Base64.decode(part) else { return false }
      addBinary(bytes, forKey: key)
    }
    return true
  }

  /// Why the metadata cannot be sent, in a sentence; nil if it can.
  var flaw: String? {
    for (key, value) in self {
      if let flaw = Self.flaw(ofKey: key) ?? Self.flaw(of: value, forKey: key) { return flaw }
    }
    return nil
  }

  private static func flaw(ofKey key: String) -> String? {
    var lowercased = key.lowercased()
    return lowercased.withUTF8 { bytes in
      guard !bytes.isEmpty, bytes.allSatisfy(isKeyByte) else {
        return
          "The metadata key “\(key)” has something else than letters, digits, “_”, “-” and “.”."
      }
      switch GRPCHeader(bytes) {
      // A handler says in its trailers when to try again.
      case .metadata, .retryPushback: return nil
      default: return "The metadata key “\(key)” is kept for the protocol itself."
      }
    }
  }

  private static func flaw(of value: Value, forKey key: String) -> String? {
    let isBinary = key.lowercased().hasSuffix("-bin")
    switch value {
    case .string(let text) where isBinary:
      let isBase64 = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .allSatisfy { Base64.decode($0) != nil }
      return isBase64 ? nil : "The metadata “\(key)” is binary, and its text is not Base64."
    case .string(let text):
      return text.utf8.allSatisfy(isValueByte)
        ? nil
        : "The metadata “\(key)” has something else than printable ASCII; bytes need a key that "
          + "ends in “-bin”."
    case .binary:
      return isBinary ? nil : "The metadata “\(key)” is binary, and its key does not end in “-bin”."
    }
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

extension HeaderList {
  /// Adds metadata without a ``GRPCCore/Metadata/flaw``. White space around a text is not part of a header field.
  mutating func append(_ metadata: Metadata) {
    for (key, value) in metadata {
      let key = key.utf8.contains(where: Self.isUpperCase) ? key.lowercased() : key
      switch value {
      case .string(let text): append(key.utf8, Self.trimmed(text.utf8))
      case .binary(let bytes): append(key.utf8, Base64.encode(bytes, isPadded: false).utf8)
      }
    }
  }

  private static func trimmed(_ text: String.UTF8View) -> Substring.UTF8View {
    var rest = text[...]
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    return rest
  }

  private static func isUpperCase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }
}
