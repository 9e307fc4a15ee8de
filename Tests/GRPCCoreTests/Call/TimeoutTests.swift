import GRPCCore
import Testing

/// The `grpc-timeout` header, of the specification's "Requests".
@Suite struct TimeoutTests {
  @Test(arguments: [
    ("1H", Duration.seconds(3600)), ("2M", .seconds(120)), ("3S", .seconds(3)),
    ("4m", .milliseconds(4)), ("5u", .microseconds(5)), ("6n", .nanoseconds(6)),
    ("29999000u", .microseconds(29_999_000)), ("00000001S", .seconds(1)), ("0n", .zero),
    ("99999999H", .seconds(99_999_999 * 3600)), ("99999999n", .nanoseconds(99_999_999)),
  ])
  func reads(text: String, duration: Duration) {
    #expect(Timeout(decoding: text)?.duration == duration)
  }

  @Test(arguments: [
    "", "S", "1", "123456789S", "1s", "1h", "-1S", "+1S", "1 S", " 1S", "1.5S", "1SS", "٣S", "1µ",
  ])
  func refuses(text: String) {
    #expect(Timeout(decoding: text) == nil)
  }

  @Test(arguments: [
    (Duration.nanoseconds(1), "1n"), (.nanoseconds(99_999_999), "99999999n"),
    (.nanoseconds(100_000_000), "100000u"), (.nanoseconds(100_000_001), "100001u"),
    (.seconds(1), "1000000u"), (.seconds(99), "99000000u"), (.seconds(100), "100000m"),
    (.seconds(100_000), "100000S"), (.seconds(100_000_000), "1666667M"),
    (.seconds(100_000_000 * 60), "1666667H"), (.seconds(Int64.max), "99999999H"),
    (.zero, "0n"), (.seconds(-1), "0n"), (.nanoseconds(-1), "0n"),
    (Duration(secondsComponent: 0, attosecondsComponent: 1), "1n"),
  ])
  func writesRoundedUp(duration: Duration, text: String) {
    #expect(Timeout(rounding: duration).description == text)
  }

  @Test(arguments: [1, 999, 1_000_000_007, 86_400_000_000_001, Int64.max])
  func whatIsWrittenIsNeverShorter(nanoseconds: Int64) throws {
    let duration = Duration.nanoseconds(nanoseconds)
    let read = try #require(Timeout(decoding: Timeout(rounding: duration).description))
    #expect(read.duration >= duration)
    #expect(read.duration <= duration + duration / 1_000_000 + .nanoseconds(1_000))
  }
}
