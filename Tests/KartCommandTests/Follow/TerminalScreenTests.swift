import Testing

@testable import KartCommand

struct TerminalScreenTests {
  @Test func drawsInPlace() {
    var screen = TerminalScreen()
    let first = screen.frame([.init(text: "a", style: .heading), .init(text: "b")])
    #expect(first == "\r\u{1b}[1ma\u{1b}[0m\u{1b}[K\n\rb\u{1b}[K\n\u{1b}[J")
    let second = screen.frame([.init(text: "c", style: .dimmed)])
    #expect(second == "\u{1b}[2A\r\u{1b}[2mc\u{1b}[0m\u{1b}[K\n\u{1b}[J")
    let third = screen.frame([])
    #expect(third == "\u{1b}[1A\u{1b}[J")
    let fourth = screen.frame([])
    #expect(fourth == "\u{1b}[J")
  }

  @Test(
    arguments: [
      ("xterm-256color", true), ("linux", true), ("dumb", false), ("", false), (nil, false),
    ] as [(String?, Bool)])
  func drawsWhereItCan(terminal: String?, canDraw: Bool) {
    #expect(TerminalScreen.canDraw(terminal.map { ["TERM": $0] } ?? [:]) == canDraw)
  }
}
