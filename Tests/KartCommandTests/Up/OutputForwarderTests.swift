import Glibc
import KartTesting
import Synchronization
import Testing

@testable import KartCommand

struct OutputForwarderTests {
  @Test func writesWhatWaitsBeforeItEnds() async {
    let lines = Mutex<[String]>([])
    let forwarder = OutputForwarder { line in lines.withLock { $0.append(line) } }
    for number in 0..<100 { forwarder.forward("\(number)") }
    await forwarder.shutdown(within: .seconds(1), by: ManualClock())
    #expect(lines.withLock { $0 } == (0..<100).map { "\($0)" })
  }

  @Test func givesUpAnOutputThatStaysBlocked() async {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let forwarder = OutputForwarder { _ in
      var byte: UInt8 = 0
      _ = read(reading, &byte, 1)
      close(reading)
    }
    forwarder.forward("never written")
    let clock = ManualClock()
    async let end: Void = forwarder.shutdown(within: .seconds(1), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(1))
    await end
    close(writing)
  }
}
