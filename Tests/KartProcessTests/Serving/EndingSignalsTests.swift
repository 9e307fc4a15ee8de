import Glibc
import Testing

@testable import KartProcess

struct EndingSignalsTests {
  @Test(
    arguments: [
      ([(SIGTERM, 0)], [.end]),
      // A service manager's and the supervisor's.
      ([(SIGTERM, 0), (SIGTERM, 4), (SIGTERM, 999)], [.end, .repeated, .repeated]),
      ([(SIGINT, 0), (SIGINT, 1000)], [.end, .endAtOnce]),
      ([(SIGTERM, 0), (SIGTERM, 900), (SIGTERM, 1100)], [.end, .repeated, .endAtOnce]),
      ([(SIGTERM, 0), (SIGINT, 4)], [.end, .endAtOnce]),
    ] as [([(Int32, Int)], [EndingSignals.Meaning])])
  func theSameSignalWithinAMomentCountsAsOne(
    signals: [(number: Int32, milliseconds: Int)], meanings: [EndingSignals.Meaning]
  ) {
    var requests = EndingSignals()
    let start = ContinuousClock.now
    let found = signals.map {
      requests.take($0.number, at: start + .milliseconds($0.milliseconds))
    }
    #expect(found == meanings)
  }
}
