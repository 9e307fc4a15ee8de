import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct HeaderCodingTests {
  private func bytes<Result>(
    _ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    Array(text.utf8).withUnsafeBufferPointer(body)
  }

  @Test(arguments: [
    ("1n", Duration.nanoseconds(1)), ("29999000u", .microseconds(29_999_000)),
    ("99999999m", .milliseconds(99_999_999)), ("0S", .zero), ("007S", .seconds(7)),
    ("2M", .seconds(120)), ("99999999H", .seconds(99_999_999 * 3600)),
  ])
  func timeoutsAreRead(text: String, timeout: Duration) {
    #expect(bytes(text, { Timeout(decoding: $0) })?.duration == timeout)
  }

  @Test(arguments: ["", "1", "S", "1s", "-1S", "+1S", "1 S", "1.5S", "100000000n", "1SS"])
  func malformedTimeoutsAreNot(text: String) {
    #expect(bytes(text, { Timeout(decoding: $0) }) == nil)
  }

  @Test(arguments: [
    (Duration.zero, "0n"), (.nanoseconds(-5), "0n"), (.nanoseconds(99_999_999), "99999999n"),
    (.nanoseconds(100_000_001), "100001u"), (.seconds(1), "1000000u"), (.seconds(30), "30000000u"),
    (.seconds(100), "100000m"), (.seconds(1_000_000), "1000000S"),
    (.seconds(1_000_000_000_000), "99999999H"),
  ])
  func timeoutsAreWrittenInTheFinestUnitThatHoldsThem(timeout: Duration, text: String) {
    #expect(Timeout(rounding: timeout).description == text)
  }

  @Test(arguments: [
    ("plain text", "plain text"), ("50% off\n", "50%25 off%0A"), ("käse", "k%C3%A4se"),
    ("\t☺", "%09%E2%98%BA"), ("", ""),
    ("a ", "a%20"), (" a", "%20a"), (" ", "%20"), ("  a b  ", "%20 a b %20"),
  ])
  func messagesArePercentEncoded(text: String, encoded: String) {
    #expect(String(decoding: PercentEncoding.encode(text), as: UTF8.self) == encoded)
    #expect(bytes(encoded, PercentEncoding.decode) == text)
  }

  @Test func aLongMessageIsCutBetweenCharacters() {
    let text = String(repeating: "ü", count: 5000)
    let encoded = PercentEncoding.encode(text)
    #expect((4000...4096).contains(encoded.count) && encoded.count % 6 == 0)
    #expect(PercentEncoding.encode(String(repeating: "x", count: 70_000)).count == 4096)
  }

  @Test func aMessageIsNotCutBehindASpace() {
    let start = String(repeating: "x", count: 4092)
    let cases = [
      // There is no room for an escape at the cut, and then there is.
      (start + "xxx yyy", start + "xxx"), (start + "    yyy", start + " %20"),
      (String(repeating: " ", count: 5000), "%20" + String(repeating: " ", count: 4090) + "%20"),
    ]
    for (text, encoded) in cases {
      #expect(String(decoding: PercentEncoding.encode(text), as: UTF8.self) == encoded)
    }
  }

  @Test(arguments: [
    ("%", "%"), ("%2", "%2"), ("%zz", "%zz"), ("a%c3%a4", "aä"), ("%FF", "\u{fffd}"),
  ])
  func brokenMessagesAreReadAsFarAsTheyGo(encoded: String, text: String) {
    #expect(bytes(encoded, PercentEncoding.decode) == text)
  }

  @Test(arguments: [
    ([], "", ""), ([0], "AA", "AA=="), ([255, 254], "//4", "//4="), ([1, 2, 3], "AQID", "AQID"),
    ([102, 111, 111, 98], "Zm9vYg", "Zm9vYg=="),
  ])
  func binaryValuesAreReadWithAndWithoutPadding(value: [UInt8], short: String, padded: String) {
    #expect(Base64.encode(value, isPadded: false) == short)
    #expect(Base64.decode(Array(short.utf8)) == value)
    #expect(Base64.decode(Array(padded.utf8)) == value)
  }

  @Test(arguments: ["A", "AAAAA", "A=", "AA=", "AA===", "A A", "AQ-_", "=", "==", "AAAA=="])
  func otherTextsAreNoBinaryValues(text: String) {
    #expect(Base64.decode(Array(text.utf8)) == nil)
  }
}
