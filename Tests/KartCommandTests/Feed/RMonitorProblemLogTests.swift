import KartProcess
import Synchronization
import Testing

@testable import KartCommand
@testable import RaceFeeds

@Suite struct RMonitorProblemLogTests {
  @Test func eachProblemIsToldOnceAndTooManyAreCounted() {
    let lines = Mutex<[String]>([])
    var problems = RMonitorProblemLog(
      Log("test", write: { line in lines.withLock { $0.append(line) } }))
    var told: [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines.map { String($0.drop { $0 != " " }.dropFirst().dropLast()) }
      }
    }
    var report = RMonitorReport()
    problems.tell(report)
    problems.tellTotal(report)
    #expect(told == [])

    report.noteRecord()
    problems.tellTotal(report)
    #expect(told == ["info test feed read report=\"1 records, 0 problems\""])
    for line in 1...2 {
      report.note(problem(line: line))
      problems.tell(report)
      problems.tell(report)
      let lines = told
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("warning test record not understood line=\(line) ") == true)
    }

    for line in 3...(RMonitorReport.keptProblems + 1) { report.note(problem(line: line)) }
    problems.tell(report)
    let many = told
    #expect(many.count == RMonitorReport.keptProblems - 1)
    #expect(many.last == "warning test further records that are not understood are only counted")
    report.note(problem(line: 99))
    problems.tell(report)
    #expect(told == [])

    problems.tellTotal(report)
    problems.tellTotal(report)
    let totals = told
    #expect(totals.count == 1)
    #expect(totals.first?.hasPrefix("warning test feed read ") == true)
    #expect(totals.first?.contains("22 problems") == true)
  }

  private func problem(line: Int) -> RMonitorProblem {
    RMonitorProblem(line: line, reason: .invalidTime, detail: "")
  }
}
