/// The latencies of many calls in a few numbers.
struct LatencySummary: Hashable, Sendable {
  /// How many calls there were.
  var count: Int
  var median: Duration
  var percentile99: Duration
  var longest: Duration

  /// - Parameter latencies: The latencies in nanoseconds, in any order.
  /// - Returns: nil for none.
  init?(nanoseconds latencies: [Int64]) {
    guard !latencies.isEmpty else { return nil }
    let sorted = latencies.sorted()
    // The nearest rank: the smallest latency that so many calls did not exceed.
    func percentile(_ share: Double) -> Duration {
      let rank = (Double(sorted.count) * share).rounded(.up)
      return .nanoseconds(sorted[max(0, Int(rank) - 1)])
    }
    count = sorted.count
    median = percentile(0.5)
    percentile99 = percentile(0.99)
    longest = percentile(1)
  }

  /// The latencies as `kart load` prints them.
  var text: String {
    let parts = [("p50", median), ("p99", percentile99), ("max", longest)].map {
      "\($0) \(FixedPoint.text($1 / .milliseconds(1), decimals: 3)) ms"
    }
    return parts.joined(separator: ", ")
  }
}
