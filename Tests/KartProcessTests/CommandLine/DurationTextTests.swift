import Testing

@testable import KartProcess

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("0s", .zero),
    ("1.5m", .seconds(90)), ("1h", .seconds(3_600)), ("250us", .microseconds(250)),
  ])
  func aLengthOfTimeIsRead(text: String, duration: Duration) {
    #expect(Duration(optionText: text) == duration)
  }

  @Test(arguments: ["", "5", "s", "-1s", "1 s", "1d", "1.2.3s", "1e3s", "٣s", "999999999999h"])
  func anythingElseIsNone(text: String) {
    #expect(Duration(optionText: text) == nil)
  }

  @Test(arguments: ["0s", "500ms", "90s", "2m", "1h", "250us", "1500ms"])
  func whatIsWrittenIsReadBack(text: String) {
    #expect(Duration(optionText: text)?.optionText == text)
  }
}
