/// Tells when something begins to fail and when it works again: a line each, however often it is tried
/// in between.
package struct OutageLog: Sendable {
  private let log: Log
  private let subject: String
  /// Whether it has failed, and not worked since.
  package private(set) var isFailing = false

  /// - Parameters:
  ///   - log: Where it is told.
  ///   - subject: What fails, such as "writing telemetry".
  package init(_ log: Log, subject: String) {
    self.log = log
    self.subject = subject
  }

  /// Notes that it has failed.
  package mutating func failed(_ error: any Error) {
    guard !isFailing else { return }
    isFailing = true
    log.error("\(subject) fails", ["error": .text("\(error)")])
  }

  /// Notes that it has succeeded.
  package mutating func succeeded() {
    guard isFailing else { return }
    isFailing = false
    log.info("\(subject) works again")
  }
}
