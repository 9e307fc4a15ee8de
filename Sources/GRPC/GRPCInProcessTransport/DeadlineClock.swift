/// A clock of any kind, read in the time of `ContinuousClock`, which is what deadlines are given in.
struct DeadlineClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (_ elapsed: Duration) async throws -> Void
  private let start = ContinuousClock.now

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: ContinuousClock.Instant { start.advanced(by: elapsed()) }

  func sleep(until deadline: ContinuousClock.Instant) async throws {
    try await sleepUntil(start.duration(to: deadline))
  }
}
