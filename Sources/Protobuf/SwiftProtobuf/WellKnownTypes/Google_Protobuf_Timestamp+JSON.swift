// ProtoJSON writes a timestamp as RFC 3339 does, in UTC with 0, 3, 6 or 9 digits of a fraction.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_Timestamp {
  /// The first second of the year 1, and the last of the year 9999.
  private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    guard Google_Protobuf_Timestamp.range.contains(seconds), (0..<1_000_000_000).contains(nanos)
    else { throw JSONEncodingError.invalidTimestamp }
    let days = (Int(seconds) - (seconds < 0 ? 86_399 : 0)) / 86_400
    let time = Int(seconds) - days * 86_400
    let date = CivilDate(daysSince1970: days)
    writer.write(raw: "\"")
    writer.write(digits: 4, date.year)
    writer.write(raw: "-")
    writer.write(digits: 2, date.month)
    writer.write(raw: "-")
    writer.write(digits: 2, date.day)
    writer.write(raw: "T")
    writer.write(digits: 2, time / 3600)
    writer.write(raw: ":")
    writer.write(digits: 2, time / 60 % 60)
    writer.write(raw: ":")
    writer.write(digits: 2, time % 60)
    writer.write(fraction: Int(nanos))
    writer.write(raw: "Z\"")
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    _ = reader.peek()
    let start = reader.position
    guard let parsed = try reader.string(as: { Google_Protobuf_Timestamp(rfc3339: $0) }) else {
      throw JSONDecodingError(code: .malformedTimestamp, byteOffset: start)
    }
    self = parsed
  }

  /// Reads a time as RFC 3339 writes it: `2026-06-08T10:00:00.5+02:00`.
  init?(rfc3339 text: Span<UInt8>) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(digits: 4), scanner.skip("-"),
      let month = scanner.number(digits: 2), scanner.skip("-"),
      let day = scanner.number(digits: 2), scanner.skip("T"),
      let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
      let minute = scanner.number(digits: 2), minute < 60, scanner.skip(":"),
      let second = scanner.number(digits: 2), second < 60,
      let nanos = scanner.fraction(), let offset = scanner.timeZone(), scanner.isAtEnd
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isValid else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
    guard Google_Protobuf_Timestamp.range.contains(Int64(seconds)) else { return nil }
    self.init(seconds: Int64(seconds), nanos: Int32(nanos))
  }
}

extension ProtoJSONWriter {
  /// Writes a number below 10,000 with leading zeros.
  mutating func write(digits count: Int, _ value: Int) {
    var divisor = count == 4 ? 1000 : 10
    while divisor > 0 {
      output.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }

  /// Writes nanoseconds as a fraction of 0, 3, 6 or 9 digits.
  mutating func write(fraction nanos: Int) {
    guard nanos != 0 else { return }
    output.append(UInt8(ascii: "."))
    let shownDigits = nanos % 1_000_000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : 9
    var divisor = 100_000_000
    for _ in 0..<shownDigits {
      output.append(UInt8(ascii: "0") + UInt8(nanos / divisor % 10))
      divisor /= 10
    }
  }
}
