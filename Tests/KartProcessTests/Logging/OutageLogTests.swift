import Synchronization
import Testing

@testable import KartProcess

@Suite struct OutageLogTests {
  private struct Trouble: Error, CustomStringConvertible {
    var description: String
  }

  @Test func anOutageIsToldOnceAndSoIsItsEnd() {
    let lines = Mutex<[String]>([])
    var outage = OutageLog(
      Log("test", write: { line in lines.withLock { $0.append(line) } }), subject: "writing")
    outage.succeeded()
    #expect(lines.withLock(\.count) == 0)
    outage.failed(Trouble(description: "first"))
    outage.failed(Trouble(description: "second"))
    outage.succeeded()
    outage.succeeded()
    outage.failed(Trouble(description: "third"))
    let told = lines.withLock { $0 }
    #expect(told.count == 3)
    let expected = [
      "error test writing fails error=first", "info test writing works again",
      "error test writing fails error=third",
    ]
    for (line, words) in zip(told, expected) { #expect(line.contains(words)) }
  }
}
