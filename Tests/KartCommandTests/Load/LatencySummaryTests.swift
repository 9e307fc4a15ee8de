import Testing

@testable import KartCommand

struct LatencySummaryTests {
  @Test(
    arguments: [
      ([7], 7, 7, 7),
      ([3, 1, 2], 2, 3, 3),
      ([4, 1, 3, 2], 2, 4, 4),
      (Array(1...100), 50, 99, 100),
      (Array((1...1000).reversed()), 500, 990, 1000),
    ] as [([Int64], Int64, Int64, Int64)])
  func takesTheNearestRank(
    latencies: [Int64], median: Int64, percentile99: Int64, longest: Int64
  ) throws {
    let summary = try #require(LatencySummary(nanoseconds: latencies))
    #expect(summary.count == latencies.count)
    #expect(summary.median == .nanoseconds(median))
    #expect(summary.percentile99 == .nanoseconds(percentile99))
    #expect(summary.longest == .nanoseconds(longest))
  }

  @Test func hasNothingToSayOfNoCalls() {
    #expect(LatencySummary(nanoseconds: []) == nil)
  }
}
