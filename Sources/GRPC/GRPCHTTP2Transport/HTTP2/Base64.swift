/// Base64 as `-bin` metadata has it: written without padding, read with or without.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each digit; 255 for what is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count * 4 + 2) / 3)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        encoded.append(alphabet[Int(buffer >> UInt32(bits) & 0x3f)])
      }
    }
    if bits > 0 { encoded.append(alphabet[Int(buffer << UInt32(6 - bits) & 0x3f)]) }
    return encoded
  }

  /// Decodes; nil if there is another character, a misplaced padding or a lone digit.
  static func decode(_ encoded: some BidirectionalCollection<UInt8>) -> [UInt8]? {
    var digits = encoded[...]
    var padding = 0
    while padding < 2, let last = digits.last, last == UInt8(ascii: "=") {
      digits = digits.dropLast()
      padding += 1
    }
    let rest = digits.count % 4
    guard rest != 1, padding == 0 || (rest + padding) % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var buffer: UInt32 = 0
    var bits = 0
    for digit in digits {
      let value = values[Int(digit)]
      guard value != 255 else { return nil }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return bytes
  }
}
