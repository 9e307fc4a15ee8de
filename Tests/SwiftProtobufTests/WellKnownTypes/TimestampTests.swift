import FoundationEssentials
import SwiftProtobuf
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (0 as Int64, 0 as Int32, "1970-01-01T00:00:00Z"),
    (1_781_042_400, 500_000_000, "2026-06-09T22:00:00.500Z"),
    (1, 1_000, "1970-01-01T00:00:01.000001Z"),
    (1, 1, "1970-01-01T00:00:01.000000001Z"),
    (-1, 0, "1969-12-31T23:59:59Z"),
    (-86_400, 0, "1969-12-31T00:00:00Z"),
    (-86_401, 0, "1969-12-30T23:59:59Z"),
    (951_782_400, 0, "2000-02-29T00:00:00Z"),
    (4_107_542_399, 0, "2100-02-28T23:59:59Z"),
    (4_107_542_400, 0, "2100-03-01T00:00:00Z"),
    (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
  ])
  func json(seconds: Int64, nanos: Int32, text: String) throws {
    let timestamp = Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos)
    #expect(try timestamp.jsonString() == "\"\(text)\"")
    #expect(try Google_Protobuf_Timestamp(jsonString: "\"\(text)\"") == timestamp)
  }

  @Test(arguments: [
    ("2026-06-09T22:00:00+02:00", 1_781_035_200 as Int64),
    ("2026-06-09T22:00:00.0-00:30", 1_781_044_200),
    ("0001-01-01T01:00:00+01:00", -62_135_596_800),
  ])
  func jsonWithOffset(text: String, seconds: Int64) throws {
    #expect(try Google_Protobuf_Timestamp(jsonString: "\"\(text)\"").seconds == seconds)
  }

  @Test(arguments: [
    "", "2026-06-09", "2026-06-09T22:00:00", "2026-06-09 22:00:00Z", "2026-06-09t22:00:00z",
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z", "2026-06-09T24:00:00Z", "2026-06-09T22:60:00Z",
    "2026-06-09T22:00:60Z", "2026-06-09T22:00:00.Z", "2026-06-09T22:00:00.1234567890Z",
    "2026-06-09T22:00:00+2:00", "2026-06-09T22:00:00Zx", "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "10000-01-01T00:00:00Z",
  ])
  func malformedJSON(text: String) {
    let error = #expect(throws: JSONDecodingError.self) {
      try Google_Protobuf_Timestamp(jsonString: "\"\(text)\"")
    }
    #expect(error?.code == .malformedTimestamp)
  }

  @Test(arguments: [
    Google_Protobuf_Timestamp(seconds: -62_135_596_801),
    Google_Protobuf_Timestamp(seconds: 253_402_300_800),
    Google_Protobuf_Timestamp(seconds: 0, nanos: -1),
    Google_Protobuf_Timestamp(seconds: 0, nanos: 1_000_000_000),
  ])
  func outOfRange(timestamp: Google_Protobuf_Timestamp) {
    #expect(throws: JSONEncodingError.invalidTimestamp) { try timestamp.jsonString() }
  }

  @Test(arguments: [
    (0.0, 0 as Int64, 0 as Int32), (1.5, 1, 500_000_000), (-0.25, -1, 750_000_000),
    (-1.0, -1, 0), (0.999_999_999_9, 1, 0), (.infinity, .max, 0), (.nan, 0, 0),
    (-.infinity, .min, 0),
  ])
  func rounding(interval: Double, seconds: Int64, nanos: Int32) {
    let timestamp = Google_Protobuf_Timestamp(roundingTimeIntervalSince1970: interval)
    #expect(timestamp == Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos))
  }

  @Test func roundingRule() {
    let timestamp = Google_Protobuf_Timestamp(
      roundingTimeIntervalSince1970: 0.999_999_999_9, rule: .down)
    #expect(timestamp == Google_Protobuf_Timestamp(seconds: 0, nanos: 999_999_999))
  }

  @Test func dates() {
    let date = Date(timeIntervalSince1970: 1_781_042_400.5)
    let timestamp = Google_Protobuf_Timestamp(date: date)
    #expect(timestamp == Google_Protobuf_Timestamp(seconds: 1_781_042_400, nanos: 500_000_000))
    #expect(timestamp.date == date)
  }
}
