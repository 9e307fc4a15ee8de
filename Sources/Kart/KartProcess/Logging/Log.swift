import FoundationEssentials

/// Structured events of a process, each on a line of its own on standard error.
package struct Log: Sendable {
  /// How much an event matters, the least first.
  package enum Level: String, Sendable, CaseIterable {
    case debug
    case info
    case warning
    case error
  }

  /// How a line is written.
  package enum Format: String, Sendable, CaseIterable {
    /// `2026-06-08T17:00:00.250Z info gateway serving address=ipv4:127.0.0.1:8080`
    case text
    /// One JSON object.
    case json
  }

  private let service: String
  private let threshold: Int
  private let format: Format
  private let fields: [(String, LogValue)]
  private let now: @Sendable () -> Date
  private let write: @Sendable (String) -> Void

  /// A log of one process.
  ///
  /// - Parameters:
  ///   - service: What the process is called in its lines.
  ///   - level: The least level that is written.
  ///   - format: How a line is written.
  ///   - now: The clock.
  ///   - write: Takes a line with its end.
  package init(
    _ service: String, level: Level = .info, format: Format = .text,
    now: @escaping @Sendable () -> Date = { Date.now },
    write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
  ) {
    self.init(
      service: service, threshold: level.rank, format: format, fields: [], now: now, write: write)
  }

  private init(
    service: String, threshold: Int, format: Format, fields: [(String, LogValue)],
    now: @escaping @Sendable () -> Date, write: @escaping @Sendable (String) -> Void
  ) {
    self.service = service
    self.threshold = threshold
    self.format = format
    self.fields = fields
    self.now = now
    self.write = write
  }

  /// The same log with fields that each of its lines begins with.
  package func with(_ fields: KeyValuePairs<String, LogValue>) -> Log {
    Log(
      service: service, threshold: threshold, format: format,
      fields: self.fields + fields.map { ($0.key, $0.value) }, now: now, write: write)
  }

  package func debug(
    _ event: @autoclosure () -> String,
    _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
  ) {
    log(.debug, event, fields)
  }

  package func info(
    _ event: @autoclosure () -> String,
    _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
  ) {
    log(.info, event, fields)
  }

  package func warning(
    _ event: @autoclosure () -> String,
    _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
  ) {
    log(.warning, event, fields)
  }

  package func error(
    _ event: @autoclosure () -> String,
    _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
  ) {
    log(.error, event, fields)
  }

  private func log(
    _ level: Level, _ event: () -> String, _ fields: () -> KeyValuePairs<String, LogValue>
  ) {
    guard level.rank >= threshold else { return }
    let line = LogLine(
      time: now(), level: level, service: service, event: event(),
      fields: self.fields + fields().map { ($0.key, $0.value) })
    switch format {
    case .text: write(line.text + "\n")
    case .json: write(line.json + "\n")
    }
  }
}

extension Log.Level {
  fileprivate var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}
