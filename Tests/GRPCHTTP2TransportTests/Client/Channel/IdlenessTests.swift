import Testing

@testable import GRPCHTTP2Transport

/// How it is found out that there are no calls, look by look.
@Suite struct IdlenessTests {
  private typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now
  private let timeout = Duration.seconds(80)

  /// Looks whenever it is to be looked, until there are no calls for too long.
  ///
  /// - Parameter counts: How many calls have begun by then, and whether one of them goes on.
  /// - Returns: The moment that the channel is idle, from the start on.
  private func idle(_ counts: (Duration) -> (started: Int64, hasCalls: Bool)) -> Duration {
    var idleness = Idleness(timeout: timeout, started: 0, now: start)
    var next: Instant? = idleness.firstLook
    var latest = start
    while let now = next {
      latest = now
      let (started, hasCalls) = counts(start.duration(to: now))
      next = idleness.look(now: now, started: started, hasCalls: hasCalls)
    }
    return start.duration(to: latest)
  }

  @Test func withoutAnyCallTheTimeoutIsKept() {
    #expect(idle { _ in (0, false) } == timeout)
  }

  @Test(arguments: [1, 9, 10, 11, 19, 79, 80, 85, 500])
  func aCallBetweenTwoLooksCounts(second: Int) {
    let end = idle { ($0 >= .seconds(second) ? 1 : 0, false) }
    if second > 80 { return #expect(end == timeout) }
    #expect(end >= .seconds(second) + timeout && end <= .seconds(second) + timeout * 9 / 8)
  }

  @Test(arguments: [5, 100, 1000, 86_400]) func aCallThatGoesOnKeepsTheChannel(seconds: Int) {
    let end = idle { (1, $0 < .seconds(seconds)) }
    #expect(end >= .seconds(seconds) + timeout - timeout / 8)
    #expect(end <= .seconds(seconds) + timeout * 9 / 8)
  }

  @Test func manyCallsInARowKeepTheChannel() {
    // One a second for an hour, each over at once.
    let end = idle { (min($0, .seconds(3600)).components.seconds, false) }
    #expect(end >= .seconds(3600) + timeout && end <= .seconds(3600) + timeout * 9 / 8)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
  func thereIsTimeBetweenTwoLooks(timeout: Duration) {
    var idleness = Idleness(timeout: timeout, started: 0, now: start)
    #expect(idleness.firstLook == start + .milliseconds(1))
    let next = idleness.look(now: idleness.firstLook, started: 0, hasCalls: true)
    #expect(next == start + .milliseconds(2))
  }
}
