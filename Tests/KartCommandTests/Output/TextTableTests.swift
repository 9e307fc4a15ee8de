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

  @Test func leavesControlCharactersOut() {
    var table = TextTable(["NAME"])
    table.append(["a\u{1b}[2Jb\n"])
    #expect(table.text == "NAME\na[2Jb\n")
  }
}
