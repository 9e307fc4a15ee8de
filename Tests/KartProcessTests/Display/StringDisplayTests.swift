import Testing

@testable import KartProcess

struct StringDisplayTests {
  @Test(arguments: [
    ("Duck Pond Dash", "Duck Pond Dash"), ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
    ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{9b}2J", "\\u{9b}2J"), ("Mon\u{202e}ty", "Mon\\u{202e}ty"),
    ("Café 🏁", "Café 🏁"), ("", ""),
  ])
  func whatSteersADisplayIsWrittenOut(text: String, shown: String) {
    #expect(text.escapedForDisplay == shown)
    #expect(text.quotedName == "\"\(shown)\"")
  }

  @Test func aNameIsQuotedUpToItsLongest() {
    let longest = String(repeating: "x", count: 198) + "é"
    #expect(longest.quotedName == "\"\(longest)\"")
    // Its two hundredth byte is the first half of a character.
    let cut = "y" + longest
    #expect(cut.quotedName == "\"y\(longest.dropLast())…\"")
    #expect(String(repeating: "x", count: 50_000_000).quotedName.utf8.count < 220)
  }

  @Test func noFailureSteersTheTerminal() async {
    struct Failure: Error, CustomStringConvertible {
      var description: String { "There is no race \"a\u{1b}[31mb\".\nAnother line." }
    }
    var command = Command(name: "kart", summary: "")
    command.run = { _ in throw Failure() }
    var text = ""
    _ = await command.execute([], environment: [:], output: { _ in }, errors: { text += $0 })
    #expect(text == "kart: There is no race \"a\\u{1b}[31mb\".\nAnother line.\n")
  }
}
