/// Cuts an RMonitor feed into lines and reads them, from bytes in any portions.
///
/// Where the portions end makes no difference. Lines end with LF, after any number of CRs. A record
/// that a relay's stamp cut in half is put together again; what cannot be read becomes a
/// ``RMonitorLine/Content/problem(_:)``, and reading goes on with the next line.
public struct RMonitorParser: Sendable {
  /// No line is longer, in bytes. The specification says 256, which feeds exceed.
  public static let longestLine = 4096

  private enum State {
    case inLine
    /// In a line that is too long, waiting for its end.
    case skipping
  }

  /// A record without its end: the rest may come after a stamp.
  private struct Fragment {
    var line: Int
    var bytes: [UInt8]
    var problem: RMonitorProblem
  }

  private var state = State.inLine
  private var line: [UInt8] = []
  private var lineNumber = 1
  private var fragment: Fragment?

  /// A parser at the beginning of a feed.
  public init() {}

  /// Reads the next bytes of the feed.
  ///
  /// - Returns: The lines that they complete.
  public mutating func read(_ bytes: some Sequence<UInt8>) -> [RMonitorLine] {
    var lines: [RMonitorLine] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine(&lines)
      } else if state == .inLine {
        line.append(byte)
        if line.count > Self.longestLine {
          state = .skipping
          line.removeAll(keepingCapacity: true)
        }
      }
    }
    return lines
  }

  /// Ends the feed, whose last line may have no end.
  ///
  /// - Returns: What was not complete until now.
  public mutating func finish() -> [RMonitorLine] {
    var lines: [RMonitorLine] = []
    if state == .skipping || !line.isEmpty { endLine(&lines) }
    giveUpFragment(&lines)
    return lines
  }

  private mutating func endLine(_ lines: inout [RMonitorLine]) {
    let number = lineNumber
    lineNumber += 1
    if state == .skipping {
      state = .inLine
      giveUpFragment(&lines)
      let problem = RMonitorProblem(
        line: number, reason: .lineTooLong,
        detail: "the line is longer than \(Self.longestLine) bytes")
      lines.append(RMonitorLine(number: number, content: .problem(problem)))
      return
    }
    let text = Self.trimmed(line, first: number == 1)
    line.removeAll(keepingCapacity: true)
    guard let first = text.first else { return }
    switch first {
    case UInt8(ascii: "$"):
      giveUpFragment(&lines)
      readRecord(text, from: number, &lines)
    case UInt8(ascii: "#") where text.starts(with: "##".utf8):
      lines.append(RMonitorLine(number: number, content: RMonitorStamp.read(text, line: number)))
    default:
      guard let fragment, fragment.bytes.count + text.count <= Self.longestLine else {
        giveUpFragment(&lines)
        let problem = RMonitorProblem(
          line: number, reason: .notARecord, detail: "\(RMonitorText.excerpt(text)) is no record")
        lines.append(RMonitorLine(number: number, content: .problem(problem)))
        return
      }
      self.fragment = nil
      readRecord(fragment.bytes + text, from: fragment.line, &lines)
    }
  }

  private mutating func readRecord(
    _ text: [UInt8], from number: Int, _ lines: inout [RMonitorLine]
  ) {
    do {
      let record = try RMonitorRecord(text, line: number)
      lines.append(RMonitorLine(number: number, content: .record(record)))
    } catch {
      if error.isIncomplete {
        fragment = Fragment(line: number, bytes: text, problem: error)
      } else {
        lines.append(RMonitorLine(number: number, content: .problem(error)))
      }
    }
  }

  private mutating func giveUpFragment(_ lines: inout [RMonitorLine]) {
    guard let fragment else { return }
    lines.append(RMonitorLine(number: fragment.line, content: .problem(fragment.problem)))
    self.fragment = nil
  }

  /// Without CRs, blanks and other control characters around it, nor a byte order mark before it.
  private static func trimmed(_ line: [UInt8], first: Bool) -> [UInt8] {
    var text = line[...]
    if first, text.starts(with: [0xef, 0xbb, 0xbf]) { text.removeFirst(3) }
    while let last = text.last, last <= UInt8(ascii: " ") { text.removeLast() }
    // A fragment's second half may begin with a blank that belongs to a field; there it does no harm
    // to lose it.
    while let first = text.first, first <= UInt8(ascii: " ") { text.removeFirst() }
    return Array(text)
  }
}
