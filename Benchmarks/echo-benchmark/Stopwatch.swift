import Glibc

/// Takes the times of one thing after the other, in microseconds.
///
/// The clock is read as C++ does: the measuring is part of what is measured.
struct Stopwatch: Sendable {
  private(set) var laps: [Float] = []
  private var last = Self.nanoseconds

  /// - Parameter laps: How many times are expected.
  init(laps: Int) {
    self.laps.reserveCapacity(laps)
  }

  mutating func lap() {
    let now = Self.nanoseconds
    laps.append(Float(now - last) / 1000)
    last = now
  }

  private static var nanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
