/// Gives every competitor of a feed a kart number of its own.
///
/// Timing systems print anything on a kart: `7`, `007`, `4A`, nothing. In order of preference:
/// 1. A plain decimal from 1 to 99,999 without leading zeros is the kart number.
/// 2. Up to five letters and digits become 1,000,000 and what they spell in base 37 (digits count 1
///    to 10, letters 11 to 36, whatever their case): `007` is 1,001,414, `4A` is 1,000,196.
/// 3. All else, and a number that another competitor has, becomes 1,000,000,000 and a hash of the
///    registration, or the next that is free.
///
/// The first two depend on nothing but the number, so that a feed that is joined late gives the
/// same; and no two of them are the same.
struct KartNumbering: Sendable {
  private var registrations: [Int32: String] = [:]

  /// Assigns a kart number.
  ///
  /// - Returns: The kart number, and whether the competitor's own was taken.
  mutating func assign(
    _ number: String, to registration: String
  ) -> (kartNumber: Int32, isDuplicate: Bool) {
    let own = Self.plain(number) ?? Self.spelled(number)
    if let own, registrations[own, default: registration] == registration {
      registrations[own] = registration
      return (own, false)
    }
    var other = Self.hash(registration)
    while let holder = registrations[other], holder != registration {
      other = other == .max ? Self.firstHash : other + 1
    }
    registrations[other] = registration
    return (other, own != nil)
  }

  /// Whether a competitor has this very number.
  func isHeld(_ number: String) -> Bool {
    guard let own = Self.plain(number) ?? Self.spelled(number) else { return false }
    return registrations[own] != nil
  }

  private static let firstHash: Int32 = 1_000_000_000

  private static func plain(_ number: String) -> Int32? {
    guard let value = Int32(number), (1...99_999).contains(value), String(value) == number else {
      return nil
    }
    return value
  }

  private static func spelled(_ number: String) -> Int32? {
    guard (1...5).contains(number.utf8.count) else { return nil }
    var value: Int32 = 0
    for character in number.utf8 {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A") + 11
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 11
      default: return nil
      }
      value = value * 37 + Int32(digit)
    }
    return 1_000_000 + value
  }

  /// FNV-1a, into the billion from ``firstHash``.
  private static func hash(_ registration: String) -> Int32 {
    var hash: UInt32 = 2_166_136_261
    for byte in registration.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return firstHash + Int32(hash % 1_000_000_000)
  }
}
