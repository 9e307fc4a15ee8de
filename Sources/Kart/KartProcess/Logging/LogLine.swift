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
      case .text(let text): line += isBare(text) ? text : text.quotedJSON
      case .integer(let integer): line += "\(integer)"
      case .boolean(let boolean): line += "\(boolean)"
      }
    }
    return line
  }

  var json: String {
    var line = "{\"time\":\"\(timestamp)\",\"level\":\"\(level.rawValue)\""
    line += ",\"service\":\(service.quotedJSON),\"event\":\(event.quotedJSON)"
    for (key, value) in fields {
      line += ",\(key.quotedJSON):"
      switch value {
      case .text(let text): line += text.quotedJSON
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
    text.utf8.contains { $0 < 0x20 } ? String(text.quotedJSON.dropFirst().dropLast()) : text
  }

  private func isBare(_ text: String) -> Bool {
    !text.isEmpty
      && !text.utf8.contains {
        $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=")
          || $0 == UInt8(ascii: "\\")
      }
  }
}
