extension Log {
  /// How much is written.
  package static let level = Option<Level>.choice(
    "log-level", default: .info, help: "The least level of what is logged.")
  /// How the lines are written.
  package static let format = Option<Format>.choice(
    "log-format", default: .text, help: "How the log's lines are written.")

  /// The options of every command that logs.
  package static let options: [any AnyOption] = [level, format]

  /// The log that a command line asks for.
  ///
  /// - Parameters:
  ///   - service: What the process is called in its lines.
  ///   - arguments: Those of a command that lists `options`.
  ///   - write: Takes a line with its end.
  package init(
    _ service: String, _ arguments: Arguments,
    write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
  ) throws(UsageError) {
    try self.init(
      service, level: arguments[Log.level], format: arguments[Log.format], write: write)
  }
}
