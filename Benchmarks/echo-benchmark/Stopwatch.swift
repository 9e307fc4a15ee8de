/// Takes the times of one thing after the other.
struct Stopwatch: Sendable {
  private(set) var laps: [Duration] = []
  private var last = ContinuousClock.now

  /// - Parameter laps: How many times are expected.
  init(laps: Int) {
    self.laps.reserveCapacity(laps)
  }

  mutating func lap() {
    let now = ContinuousClock.now
    laps.append(now - last)
    last = now
  }
}
