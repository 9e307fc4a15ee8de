/// What a feed held, and what of it could not be used.
public struct RMonitorReport: Hashable, Sendable, CustomStringConvertible {
  /// Records that were understood.
  public private(set) var records = 0
  /// Clear records that no refresh followed, which were ignored.
  public internal(set) var loneClears = 0
  /// Crossings that the feed repeated, which were ignored.
  public internal(set) var repeatedCrossings = 0
  /// How many problems there were of each kind.
  public private(set) var counts: [RMonitorProblem.Reason: Int] = [:]
  /// The first problems, at most ``keptProblems`` of them.
  public private(set) var problems: [RMonitorProblem] = []

  /// How many problems are kept.
  public static let keptProblems = 20

  /// How many problems there were.
  public var problemCount: Int { counts.values.reduce(0, +) }

  /// One line: `5693 records, 3 problems (2 notARecord, 1 invalidTime)`.
  public var description: String {
    let reasons = RMonitorProblem.Reason.allCases.compactMap { reason in
      counts[reason].map { "\($0) \(reason.rawValue)" }
    }
    let problems = problemCount == 1 ? "1 problem" : "\(problemCount) problems"
    return "\(records) records, \(problems)"
      + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
  }

  mutating func noteRecord() {
    records += 1
  }

  mutating func note(_ problem: RMonitorProblem) {
    counts[problem.reason, default: 0] += 1
    if problems.count < Self.keptProblems { problems.append(problem) }
  }
}
