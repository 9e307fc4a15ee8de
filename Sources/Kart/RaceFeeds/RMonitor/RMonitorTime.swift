/// Times of the feed: `HH:MM:SS`, with decimals or without.
enum RMonitorTime {
  /// Reads a time. Hours may be 24 and more; before a start, feeds count down with the sign at the
  /// hours or at the seconds (`00:00:-47`).
  static func read(_ text: String) -> Duration? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let secondsParts = parts[2].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard
      let hours = number(parts[0]), let minutes = number(parts[1]),
      let seconds = number(secondsParts[0]), minutes.value < 60, seconds.value < 60
    else { return nil }
    var nanoseconds: Int64 = 0
    if secondsParts.count == 2 {
      guard let fraction = Self.nanoseconds(secondsParts[1]) else { return nil }
      nanoseconds = fraction
    }
    let isNegative = hours.isNegative || minutes.isNegative || seconds.isNegative
    let time =
      Duration.seconds(hours.value * 3600 + minutes.value * 60 + seconds.value)
      + .nanoseconds(nanoseconds)
    return isNegative ? .zero - time : time
  }

  private static func number(_ digits: Substring.UTF8View) -> (value: Int64, isNegative: Bool)? {
    let isNegative = digits.first == UInt8(ascii: "-")
    let digits = isNegative ? digits.dropFirst() : digits
    guard (1...6).contains(digits.count), let value = value(of: digits) else { return nil }
    return (value, isNegative)
  }

  private static func nanoseconds(_ digits: Substring.UTF8View) -> Int64? {
    guard (1...9).contains(digits.count), var value = value(of: digits) else { return nil }
    for _ in digits.count..<9 { value *= 10 }
    return value
  }

  /// The value of a few decimal digits.
  private static func value(of digits: Substring.UTF8View) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
