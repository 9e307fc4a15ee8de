/// The `grpc-timeout` header: at most eight digits and a unit ("gRPC over HTTP2", Requests).
enum TimeoutHeader {
  private static let units: [(name: UInt8, duration: Duration)] = [
    (UInt8(ascii: "n"), .nanoseconds(1)), (UInt8(ascii: "u"), .microseconds(1)),
    (UInt8(ascii: "m"), .milliseconds(1)), (UInt8(ascii: "S"), .seconds(1)),
    (UInt8(ascii: "M"), .seconds(60)), (UInt8(ascii: "H"), .seconds(3600)),
  ]
  private static let maxValue: Int64 = 99_999_999

  /// Reads a value; nil if it is malformed.
  static func parse(_ value: UnsafeBufferPointer<UInt8>) -> Duration? {
    guard (2...9).contains(value.count) else { return nil }
    var number: Int64 = 0
    for byte in value.dropLast() {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    guard let unit = units.first(where: { $0.name == value[value.count - 1] }) else { return nil }
    return unit.duration * Int(number)
  }

  /// Writes a timeout in the finest unit that holds it, rounded up; what is longer than eight
  /// digits of hours is as good as eight.
  static func format(_ timeout: Duration) -> String {
    guard timeout > .zero else { return "0n" }
    for unit in units {
      let value = timeout / unit.duration
      guard value <= Double(maxValue) else { continue }
      let rounded = Int64(value.rounded(.up))
      return "\(rounded)\(Character(UnicodeScalar(unit.name)))"
    }
    return "\(maxValue)H"
  }
}
