import FoundationEssentials

/// One event of a log, as text or as JSON.
struct LogLine {
  var time: Date
  var level: Log.Level
  var service: String
  var event: String
  var fields: [(String, LogValue)]

  var text: String {
    var line = "\(timestamp) \(level.rawValue) \(service) \(singleLine(event))"
    for (key, value) in fields {
      line += " \(key)="
      switch value {
      case .text(let text): line += isBare(text) ? text : quoted(text)
      case .integer(let integer): line += "\(integer)"
      case .boolean(let boolean): line += "\(boolean)"
      }
    }
    return line
  }

  var json: String {
    var line = "{\"time\":\"\(timestamp)\",\"level\":\"\(level.rawValue)\""
    line += ",\"service\":\(quoted(service)),\"event\":\(quoted(event))"
    for (key, value) in fields {
      line += ",\(quoted(key)):"
      switch value {
      case .text(let text): line += quoted(text)
      case .integer(let integer): line += "\(integer)"
      case .boolean(let boolean): line += "\(boolean)"
      }
    }
    return line + "}"
  }

  private var timestamp: String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private func singleLine(_ text: String) -> String {
    text.utf8.contains { $0 < 0x20 } ? String(quoted(text).dropFirst().dropLast()) : text
  }

  private func isBare(_ text: String) -> Bool {
    !text.isEmpty
      && !text.utf8.contains {
        $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=")
          || $0 == UInt8(ascii: "\\")
      }
  }

  // A JSON string, which the text form uses too.
  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case ..<" ":
        let code = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
