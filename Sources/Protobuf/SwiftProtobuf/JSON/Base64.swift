/// Base64 as ProtoJSON uses it: writes the standard alphabet with padding, reads both alphabets with
/// or without padding (RFC 4648, sections 4 and 5).
enum Base64 {
  static func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) {
    output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let second = left > 1 ? bytes[index + 1] : 0
      let third = left > 2 ? bytes[index + 2] : 0
      let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
      output.append(digit(group >> 18))
      output.append(digit(group >> 12))
      output.append(left > 1 ? digit(group >> 6) : UInt8(ascii: "="))
      output.append(left > 2 ? digit(group) : UInt8(ascii: "="))
      index += 3
    }
  }

  /// - Returns: the bytes; nil if the text is not base64.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var count = text.count
    if count % 4 == 0 {
      while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    }
    guard count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 3 / 4)
    var group: UInt32 = 0
    var bits = 0
    for index in 0..<count {
      guard let value = value(text[index]) else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    switch UInt8(value & 63) {
    case let value where value < 26: UInt8(ascii: "A") + value
    case let value where value < 52: UInt8(ascii: "a") + value - 26
    case let value where value < 62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
