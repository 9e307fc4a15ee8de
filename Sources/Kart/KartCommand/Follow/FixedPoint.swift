/// Numbers with a fixed count of digits, as tables show them.
enum FixedPoint {
  /// A number with so many decimals; `?` for one that is no number or too large for a table.
  static func text(_ value: Double, decimals: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * Double(scale)).rounded()
    guard scaled < 1e15 else { return "?" }
    let digits = Int64(scaled)
    let sign = value < 0 && digits > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(digits)" }
    return "\(sign)\(digits / scale).\(padded(digits % scale, to: decimals))"
  }

  /// A length of time as timing screens show it: `1.234`, `1:02.345`, `1:00:02.345`.
  static func time(_ duration: Duration) -> String {
    let total = Int64((duration / .milliseconds(1)).rounded())
    let (seconds, milliseconds) = total.magnitude.quotientAndRemainder(dividingBy: 1000)
    let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
    let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    let end = ".\(padded(milliseconds, to: 3))"
    let sign = total < 0 ? "-" : ""
    if hours > 0 {
      return "\(sign)\(hours):\(padded(minute, to: 2)):\(padded(second, to: 2))\(end)"
    }
    if minutes > 0 { return "\(sign)\(minutes):\(padded(second, to: 2))\(end)" }
    return "\(sign)\(second)\(end)"
  }

  /// A length of time in seconds alone: `62.345`.
  static func seconds(_ duration: Duration) -> String {
    text(duration / .seconds(1), decimals: 3)
  }

  private static func padded(_ value: some BinaryInteger, to width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
