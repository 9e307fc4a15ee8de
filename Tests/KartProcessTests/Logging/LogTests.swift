import FoundationEssentials
import Synchronization
import Testing

@testable import KartProcess

@Suite struct LogTests {
  private func lines(
    _ format: Log.Format, level: Log.Level = .info, _ body: (Log) -> Void
  ) -> [String] {
    final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }
    let lines = Lines()
    let log = Log(
      "gateway", level: level, format: format,
      now: { Date(timeIntervalSince1970: 1_780_938_000.25) },
      write: { line in lines.all.withLock { $0.append(line) } })
    body(log)
    return lines.all.withLock { $0 }
  }

  private func write(_ log: Log) {
    log.with(["race": "Finite Loops"]).warning(
      "replica lost",
      ["port": 8080, "ready": false, "why": "it said \"no\"\n\u{1}", "name": "a=b", "empty": ""])
  }

  @Test func aLineOfText() {
    #expect(
      lines(.text, write) == [
        #"2026-06-08T17:00:00.250Z warning gateway replica lost race="Finite Loops" port=8080 ready=false why="it said \"no\"\n\u0001" name="a=b" empty="""#
          + "\n"
      ])
  }

  @Test func aLineOfJSON() {
    #expect(
      lines(.json, write) == [
        #"{"time":"2026-06-08T17:00:00.250Z","level":"warning","service":"gateway","event":"replica lost","#
          + #""race":"Finite Loops","port":8080,"ready":false,"why":"it said \"no\"\n\u0001","name":"a=b","empty":""}"#
          + "\n"
      ])
  }

  @Test(arguments: zip(Log.Level.allCases, [4, 3, 2, 1]))
  func lesserLevelsAreLeftOut(level: Log.Level, count: Int) {
    let lines = lines(.text, level: level) { log in
      log.debug("a")
      log.info("b")
      log.warning("c")
      log.error("d")
    }
    #expect(lines.count == count)
  }
}
