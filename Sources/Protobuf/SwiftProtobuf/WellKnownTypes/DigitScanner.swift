/// Reads the numbers in times and durations.
struct DigitScanner: ~Escapable {
  private let text: Span<UInt8>
  private var position = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { position == text.count }

  /// Reads `character` if it is next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Reads a number of exactly `count` digits.
  mutating func number(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = nextDigit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Reads as many digits as there are, at least one; nil if the number is beyond `Int64`.
  mutating func number() -> Int64? {
    guard let first = nextDigit() else { return nil }
    var value = Int64(first)
    while let digit = nextDigit() {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(Int64(digit))
      guard !isTooLarge, !isTooLargeNow else { return nil }
      value = sum
    }
    return value
  }

  /// Reads a point and up to nine digits behind it, in billionths; 0 if there is no point.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    guard var value = nextDigit() else { return nil }
    var count = 1
    while let digit = nextDigit() {
      guard count < 9 else { return nil }
      value = value * 10 + digit
      count += 1
    }
    for _ in count..<9 { value *= 10 }
    return value
  }

  /// Reads `Z` or an offset like `+02:00`, in seconds.
  mutating func timeZone() -> Int? {
    if skip("Z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(digits: 2), hours < 24, skip(":"),
      let minutes = number(digits: 2), minutes < 60
    else { return nil }
    return (isEast ? 60 : -60) * (hours * 60 + minutes)
  }

  private mutating func nextDigit() -> Int? {
    guard !isAtEnd, text[position] &- UInt8(ascii: "0") < 10 else { return nil }
    position += 1
    return Int(text[position - 1] - UInt8(ascii: "0"))
  }
}
