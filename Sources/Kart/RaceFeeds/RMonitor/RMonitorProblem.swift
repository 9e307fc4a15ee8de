/// Something in a feed that could not be used.
public struct RMonitorProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem, for counting.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// Longer than a line can be.
    case lineTooLong
    /// Text that is no record.
    case notARecord
    /// A record that this build does not know.
    case unknownCommand
    /// A record that ends early.
    case tooFewFields
    /// A quoted field without an end.
    case unterminatedQuote
    /// A number that is none.
    case invalidNumber
    /// More laps than a race has.
    case tooManyLaps
    /// A time that is none.
    case invalidTime
    /// A record that does not say whose it is.
    case missingRegistration
    /// A flag that this build does not know.
    case unknownFlag
    /// A crossing of somebody who is not on the entry list.
    case unknownRegistration
    /// A competitor for whom there is no room: a race has so many at most.
    case tooManyCompetitors
    /// Two competitors under one registration, of which the first counts.
    case duplicateRegistration
    /// Two competitors with one number, of which the second gets another.
    case duplicateNumber
  }

  /// The line of the feed, counting from 1.
  public var line: Int
  /// Which kind of problem.
  public var reason: Reason
  /// What exactly.
  public var detail: String

  /// One sentence.
  public var description: String { "line \(line): \(detail)" }

  /// Whether more text could mend it: the record may have been cut in half.
  var isIncomplete: Bool { reason == .tooFewFields || reason == .unterminatedQuote }
}
