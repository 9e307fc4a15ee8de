import SwiftProtobuf
import Testing

@Suite struct DurationTests {
  @Test(arguments: [
    (0 as Int64, 0 as Int32, "0s"), (1, 0, "1s"), (1, 500_000_000, "1.500s"), (-1, 0, "-1s"),
    (0, -500_000_000, "-0.500s"), (-1, -1, "-1.000000001s"), (0, 1_000, "0.000001s"),
    (315_576_000_000, 999_999_999, "315576000000.999999999s"),
  ])
  func json(seconds: Int64, nanos: Int32, text: String) throws {
    let duration = Google_Protobuf_Duration(seconds: seconds, nanos: nanos)
    #expect(try duration.jsonString() == "\"\(text)\"")
    #expect(try Google_Protobuf_Duration(jsonString: "\"\(text)\"") == duration)
  }

  @Test(arguments: [
    "", "s", "1", "1.s", ".5s", "+1s", "1 s", "1.1234567890s", "315576000001s", "1ms",
  ])
  func malformedJSON(text: String) {
    let error = #expect(throws: JSONDecodingError.self) {
      try Google_Protobuf_Duration(jsonString: "\"\(text)\"")
    }
    #expect(error?.code == .malformedDuration)
  }

  @Test(arguments: [
    Google_Protobuf_Duration(seconds: 315_576_000_001),
    Google_Protobuf_Duration(seconds: 1, nanos: -1),
    Google_Protobuf_Duration(seconds: 0, nanos: 1_000_000_000),
    Google_Protobuf_Duration(seconds: .min, nanos: .min),
  ])
  func outOfRange(duration: Google_Protobuf_Duration) {
    #expect(throws: JSONEncodingError.invalidDuration) { try duration.jsonString() }
  }

  @Test(arguments: [
    (1.5, 1 as Int64, 500_000_000 as Int32), (-1.5, -1, -500_000_000),
    (0.999_999_999_9, 1, 0), (-0.999_999_999_9, -1, 0), (.infinity, .max, 0), (.nan, 0, 0),
  ])
  func roundingSeconds(interval: Double, seconds: Int64, nanos: Int32) {
    let duration = Google_Protobuf_Duration(rounding: interval)
    #expect(duration == Google_Protobuf_Duration(seconds: seconds, nanos: nanos))
  }

  @Test func roundingDurations() {
    let half = Google_Protobuf_Duration(rounding: .milliseconds(1500))
    #expect(half == Google_Protobuf_Duration(seconds: 1, nanos: 500_000_000))
    let negative = Google_Protobuf_Duration(rounding: .milliseconds(-1500))
    #expect(negative == Google_Protobuf_Duration(seconds: -1, nanos: -500_000_000))
    let fine = Duration(secondsComponent: 0, attosecondsComponent: 999_999_999_500_000_000)
    #expect(Google_Protobuf_Duration(rounding: fine) == Google_Protobuf_Duration(seconds: 1))
    #expect(
      Google_Protobuf_Duration(rounding: fine, rule: .down)
        == Google_Protobuf_Duration(seconds: 0, nanos: 999_999_999))
  }

  @Test func conversionsBack() {
    let duration = Google_Protobuf_Duration(seconds: -1, nanos: -500_000_000)
    #expect(duration.timeInterval == -1.5)
    #expect(Duration(duration) == .milliseconds(-1500))
    let literal: Google_Protobuf_Duration = 2.5
    #expect(literal == Google_Protobuf_Duration(seconds: 2, nanos: 500_000_000))
  }
}
