/// Base64 of RFC 4648, section 4, as `-bin` metadata has it: padding is read whether it is there or
/// not.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - isPadded: Whether to write padding, which a header field goes without.
  package static func encode(_ bytes: [UInt8], isPadded: Bool = true) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = Swift.min(3, bytes.count - index)
      var group = UInt32(bytes[index]) << 16
      if left > 1 { group |= UInt32(bytes[index + 1]) << 8 }
      if left > 2 { group |= UInt32(bytes[index + 2]) }
      for position in 0..<4 {
        let sextet = Int(group >> UInt32(18 - 6 * position)) & 63
        if position <= left {
          output.append(alphabet[sextet])
        } else if isPadded {
          output.append(UInt8(ascii: "="))
        }
      }
      index += 3
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes text; `nil` where it is not base64.
  package static func decode(_ string: String) -> [UInt8]? {
    decode(string.utf8)
  }

  /// Decodes text; `nil` where it is not base64.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var sextets = 0
    var padding = 0
    for byte in text {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let sextet = value(of: byte) else { return nil }
      group = group << 6 | UInt32(sextet)
      sextets += 1
      if sextets.isMultiple(of: 4) {
        output.append(UInt8(truncatingIfNeeded: group >> 16))
        output.append(UInt8(truncatingIfNeeded: group >> 8))
        output.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    let left = sextets % 4
    guard left != 1, padding == 0 || (left > 0 && left + padding == 4) else { return nil }
    if left > 1 { output.append(UInt8(truncatingIfNeeded: group >> (left == 2 ? 4 : 10))) }
    if left > 2 { output.append(UInt8(truncatingIfNeeded: group >> 2)) }
    return output
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
