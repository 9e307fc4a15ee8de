import Testing

@testable import KartCommand

struct ChildLinesTests {
  @Test(
    arguments: [
      (["one\ntwo\n"], ["x | one\nx | two\n"], "two", nil),
      (["on", "e\ntw", "o\n"], [nil, "x | one\n", "x | two\n"], "two", nil),
      (["one\ntwo"], ["x | one\n"], "one", "x | two\n"),
      (["\n\n"], ["x | \nx | \n"], "", nil),
      ([""], [nil], "", nil),
    ] as [([String], [String?], String, String?)])
  func partsLines(pieces: [String], expected: [String?], last: String, rest: String?) {
    var lines = ChildLines(marked: .prefix("x | "))
    #expect(pieces.map { lines.append(Array($0.utf8)) } == expected)
    #expect(lines.last == last)
    #expect(lines.finish() == rest)
  }

  @Test func cutsALineThatNeverEnds() {
    var lines = ChildLines(marked: .prefix(""))
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: ChildLines.longestLine)
    #expect(lines.append(piece)?.utf8.count == ChildLines.longestLine + 1)
    #expect(lines.finish() == nil)
  }

  @Test(arguments: [
    (#"{"event":"ready","head":3}"#, #"{"event":"ready","head":3,"process":"tracker-2"}"#),
    (#"Fatal error: "x""#, #"{"process":"tracker-2","output":"Fatal error: \"x\""}"#),
    (#"{"event":"cut of"#, #"{"process":"tracker-2","output":"{\"event\":\"cut of"}"#),
    ("{}", #"{"process":"tracker-2","output":"{}"}"#),
    ("", #"{"process":"tracker-2","output":""}"#),
  ])
  func namesTheProcessInJSON(line: String, marked: String) {
    var lines = ChildLines(marked: .field(process: "tracker-2"))
    #expect(lines.append(Array("\(line)\n".utf8)) == "\(marked)\n")
    #expect(lines.last == line)
  }
}
