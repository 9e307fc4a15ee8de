import RaceControl
import Testing

@Suite struct UTCInstantTests {
  @Test(
    arguments: [
      (0, 0), (1, 500_000_000), (-1, 250_000_000), (-62_135_596_800, 0),
      (253_402_300_799, 999_999_999),
      (-1, 999_999_999),
    ] as [(Int64, Int32)])
  func `reads as it was written`(seconds: Int64, nanoseconds: Int32) {
    let instant = UTCInstant(seconds: seconds, nanoseconds: nanoseconds)
    #expect(instant.seconds == seconds)
    #expect(instant.nanoseconds == nanoseconds)
  }

  @Test func `the extremes are no trap`() {
    let first = UTCInstant(seconds: .min)
    let last = UTCInstant(seconds: .max)
    #expect(first < last)
    #expect(first.duration(to: last) > .zero)
  }
}
