import RaceControl

/// The fields of a record, after its command.
///
/// A quoted field ends with a quote that a comma or the record's end follows: within it neither
/// quotes nor commas are escaped.
struct RMonitorFields {
  let command: String
  let line: Int
  private var fields: [ArraySlice<UInt8>] = []

  /// Splits a record, `$` first.
  init(_ text: [UInt8], line: Int) throws(RMonitorProblem) {
    self.line = line
    let comma = UInt8(ascii: ",")
    let quote = UInt8(ascii: "\"")
    let end = text.firstIndex(of: comma) ?? text.endIndex
    self.command = RMonitorText.decode(Self.trimmed(text[..<end]))
    var rest = text[end...]
    while rest.first == comma {
      rest = rest.dropFirst()
      let blanks = rest.prefix { $0 == UInt8(ascii: " ") }
      guard rest.dropFirst(blanks.count).first == quote else {
        let field = rest.prefix { $0 != comma }
        fields.append(Self.trimmed(field))
        rest = rest.dropFirst(field.count)
        continue
      }
      let content = rest.dropFirst(blanks.count + 1)
      guard let close = Self.closingQuote(in: content) else {
        throw RMonitorProblem(
          line: line, reason: .unterminatedQuote, detail: "\(command) has a quote without an end")
      }
      fields.append(Self.trimmed(content[..<close]))
      rest = content[(close + 1)...].drop { $0 == UInt8(ascii: " ") }
    }
    // A record may be cut after a comma: that is no field yet.
    if text.last == comma { fields.removeLast() }
  }

  /// The command's name must be followed by `count` fields, or more.
  func require(_ count: Int) throws(RMonitorProblem) {
    guard fields.count < count else { return }
    throw RMonitorProblem(
      line: line, reason: .tooFewFields,
      detail: "\(command) has \(fields.count) fields and needs \(count)")
  }

  /// The text of a field; empty where there is none.
  subscript(index: Int) -> String {
    index < fields.count ? RMonitorText.decode(fields[index]) : ""
  }

  /// The registration in a field.
  func registration(_ index: Int) throws(RMonitorProblem) -> String {
    let text = self[index]
    guard text.isEmpty else { return text }
    throw RMonitorProblem(
      line: line, reason: .missingRegistration, detail: "\(command) has an empty registration")
  }

  /// The laps in a field: 0 where it is empty or, as feeds have it, negative.
  func laps(_ index: Int) throws(RMonitorProblem) -> Int32 {
    let text = self[index]
    if text.isEmpty { return 0 }
    guard let laps = Int32(text) else {
      throw RMonitorProblem(
        line: line, reason: .invalidNumber,
        detail: "\(command) has \(RMonitorText.excerpt(text.utf8)) where a number of laps belongs")
    }
    guard laps <= RaceLimits.laps else {
      throw RMonitorProblem(
        line: line, reason: .tooManyLaps,
        detail: "\(command) has \(laps) laps, and a race has at most \(RaceLimits.laps)")
    }
    return max(laps, 0)
  }

  /// The time in a field, `HH:MM:SS.DDD`; zero where it is empty.
  func time(_ index: Int) throws(RMonitorProblem) -> Duration {
    try timeIfAny(index) ?? .zero
  }

  /// The time in a field, `HH:MM:SS.DDD`; `nil` where it is empty.
  func timeIfAny(_ index: Int) throws(RMonitorProblem) -> Duration? {
    let text = self[index]
    if text.isEmpty { return nil }
    guard let time = RMonitorTime.read(text) else {
      throw RMonitorProblem(
        line: line, reason: .invalidTime,
        detail: "\(command) has \(RMonitorText.excerpt(text.utf8)) where HH:MM:SS.DDD belongs")
    }
    return time
  }

  private static func closingQuote(in content: ArraySlice<UInt8>) -> Int? {
    content.indices.first { index in
      guard content[index] == UInt8(ascii: "\"") else { return false }
      let next = content[(index + 1)...].first { $0 != UInt8(ascii: " ") }
      return next == nil || next == UInt8(ascii: ",")
    }
  }

  private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var field = field
    while let last = field.last, last <= UInt8(ascii: " ") { field.removeLast() }
    return field.drop { $0 <= UInt8(ascii: " ") }
  }
}
