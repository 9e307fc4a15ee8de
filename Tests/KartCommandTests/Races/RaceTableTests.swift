import SwiftProtobuf
import Testing

@testable import KartCommand

struct RaceTableTests {
  @Test(arguments: [
    (Google_Protobuf_Timestamp(seconds: 1_780_920_000, nanos: 999_999_999), "2026-06-08T12:00:00Z"),
    (Google_Protobuf_Timestamp(seconds: -62_135_596_800), "0001-01-01T00:00:00Z"),
    (Google_Protobuf_Timestamp(seconds: -12_219_292_801), "1582-10-14T23:59:59Z"),
    (Google_Protobuf_Timestamp(seconds: .max), ""),
  ])
  func showsTimesToTheSecond(time: Google_Protobuf_Timestamp, text: String) {
    #expect(RaceTable.moment(time) == text)
  }

  @Test(arguments: [
    (Google_Protobuf_Timestamp(seconds: 1_780_920_059, nanos: 5), "2026-06-08 12:00Z"),
    (Google_Protobuf_Timestamp(seconds: .max), ""),
  ])
  func showsTimesToTheMinute(time: Google_Protobuf_Timestamp, text: String) {
    #expect(RaceTable.minute(time) == text)
  }
}
