import Glibc

/// Lines that are drawn again and again in the same place of a terminal.
struct TerminalScreen: Sendable {
  private var drawn = 0

  /// What a terminal is to be sent first: it hides the cursor.
  static let opening = "\u{1b}[?25l"
  /// What it is to be sent at last: it shows the cursor again.
  static let closing = "\u{1b}[?25h"

  /// What a terminal is to be sent to show these lines in place of those before.
  mutating func frame(_ lines: [FollowTable.Line]) -> String {
    var frame = drawn > 0 ? "\u{1b}[\(drawn)A" : ""
    for line in lines {
      let style =
        switch line.style {
        case .plain: ""
        case .heading: "\u{1b}[1m"
        case .dimmed: "\u{1b}[2m"
        }
      frame += "\r\(style)\(line.text)\(style.isEmpty ? "" : "\u{1b}[0m")\u{1b}[K\n"
    }
    // What is left of a longer frame.
    frame += "\u{1b}[J"
    drawn = lines.count
    return frame
  }

  /// The size of the terminal that standard output is; 80 by 24 where it does not tell.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether standard output is a terminal in which something can be drawn again in its place.
  static func isTerminal(_ environment: [String: String]) -> Bool {
    isatty(STDOUT_FILENO) == 1 && canDraw(environment)
  }

  /// Whether a terminal that is called so understands where to draw.
  static func canDraw(_ environment: [String: String]) -> Bool {
    environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } ?? false
  }
}
