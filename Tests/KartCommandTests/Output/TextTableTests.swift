import Testing

@testable import KartCommand

struct TextTableTests {
  @Test func alignsItsColumns() {
    var table = TextTable(["NAME", "LAPS"])
    table.append(["Duck Pond Dash", "6"])
    table.append(["Finite Loops", ""])
    #expect(
      table.text == """
        NAME            LAPS
        Duck Pond Dash  6
        Finite Loops

        """)
  }

  @Test func alignsWhatIsWiderThanALetter() {
    var table = TextTable(["NAME", "LAPS"])
    table.append(["東京カート選手権", "6"])
    table.append(["카트 🏁", "12"])
    table.append(["Mu\u{308}nchen", "3"])
    #expect(
      table.text == """
        NAME              LAPS
        東京カート選手権  6
        카트 🏁           12
        Mu\u{308}nchen           3

        """)
  }

  @Test func leavesControlCharactersOut() {
    var table = TextTable(["NAME"])
    table.append(["a\u{1b}[2Jb\n"])
    table.append(["e\u{301}\u{202e}f\u{2028}g\u{200d}h"])
    #expect(table.text == "NAME\na[2Jb\ne\u{301}fg\u{200d}h\n")
  }
}
