/// The encoding of `grpc-message` ("gRPC over HTTP2", Responses).
enum PercentEncoding {
  /// How long an encoded text may be: clients refuse header lists of more than 8 KiB or so, and with one that is
  /// refused the status is lost as well.
  static let limit = 4 << 10

  /// Encodes a text: printable ASCII but `%` is kept, any other byte becomes `%XX`, and so does a space at either
  /// end, where no field may have one (RFC 9113, section 8.2.1). What goes beyond the limit is left out.
  static func encode(_ text: String) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(min(text.utf8.count, limit))
    for scalar in text.unicodeScalars {
      let start = encoded.count
      for byte in scalar.utf8 {
        if isKept(byte), byte != space || !encoded.isEmpty {
          encoded.append(byte)
        } else {
          escape(byte, into: &encoded)
        }
      }
      guard encoded.count <= limit else {
        encoded.removeSubrange(start...)
        break
      }
    }
    // At the limit some are left out, until one that is escaped has room.
    while encoded.last == space {
      encoded.removeLast()
      if encoded.count + 3 <= limit { escape(space, into: &encoded) }
    }
    return encoded
  }

  /// Decodes a text. What is no escape is taken as it is, and what is no UTF-8 is repaired: a
  /// broken message must not hide the status that it explains.
  static func decode(_ encoded: UnsafeBufferPointer<UInt8>) -> String {
    guard encoded.contains(UInt8(ascii: "%")) else {
      return String(decoding: encoded, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var index = 0
    while index < encoded.count {
      if encoded[index] == UInt8(ascii: "%"), index + 2 < encoded.count,
        let high = value(encoded[index + 1]), let low = value(encoded[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(encoded[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let space = UInt8(ascii: " ")

  private static func escape(_ byte: UInt8, into encoded: inout [UInt8]) {
    encoded.append(UInt8(ascii: "%"))
    encoded.append(digit(byte >> 4))
    encoded.append(digit(byte & 0xf))
  }

  private static func isKept(_ byte: UInt8) -> Bool {
    (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "%")
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
