import KartProcess
import RaceFeeds

/// Tells of the records of a feed that were not understood: each of the first ones once, and their number.
struct RMonitorProblemLog: Sendable {
  private let log: Log
  private var told = 0
  private var isCutOffTold = false
  private var total: String?

  /// - Parameter log: Where it is told.
  init(_ log: Log) {
    self.log = log
  }

  /// Tells of what has been noted since it was last told.
  mutating func tell(_ report: RMonitorReport) {
    for problem in report.problems.dropFirst(told) {
      log.warning(
        "record not understood", ["line": LogValue(problem.line), "problem": "\(problem)"])
    }
    told = report.problems.count
    guard report.problemCount > told, !isCutOffTold else { return }
    isCutOffTold = true
    log.warning("further records that are not understood are only counted")
  }

  /// Tells what has been read in all, unless nothing has been since.
  mutating func tellTotal(_ report: RMonitorReport) {
    guard report.records > 0 || report.problemCount > 0, "\(report)" != total else { return }
    total = "\(report)"
    if report.problemCount > 0 {
      log.warning("feed read", ["report": "\(report)"])
    } else {
      log.info("feed read", ["report": "\(report)"])
    }
  }
}
