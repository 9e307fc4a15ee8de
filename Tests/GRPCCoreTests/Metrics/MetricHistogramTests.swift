import GRPCCore
import Testing

@Suite struct MetricHistogramTests {
  /// A boundary is in the bucket below it.
  @Test(arguments: [
    (-1.0, 0), (0, 0), (0.5, 1), (1, 1), (1.5, 2), (4, 4), (5, 5), (5.1, 6), (.infinity, 6),
  ]) func valuesFallIntoTheirBuckets(value: Double, bucket: Int) {
    var histogram = MetricHistogram.numbers
    histogram.record(value)
    #expect(histogram.counts.firstIndex(of: 1) == bucket)
    #expect(histogram.count == 1 && histogram.sum == value)
  }

  @Test func timesAreInSeconds() {
    var histogram = MetricHistogram.latencies
    histogram.record(.milliseconds(250))
    histogram.record(.microseconds(1))
    histogram.record(.seconds(1000))
    #expect(histogram.boundaries.count == 41 && histogram.counts.count == 42)
    let filled = histogram.counts.indices.filter { histogram.counts[$0] == 1 }
    #expect(filled == [1, histogram.boundaries.firstIndex(of: 0.25), 41])
    #expect(abs(histogram.sum - 1000.250001) < 1e-9)
  }

  @Test func sizesAreInBytes() {
    var histogram = MetricHistogram.sizes
    for size in [0.0, 1, 1024, 1025, 5e9] { histogram.record(size) }
    #expect(histogram.counts.prefix(3) == [1, 2, 1] && histogram.counts.last == 1)
  }

  @Test func histogramsAreAdded() {
    var histogram = MetricHistogram.numbers
    histogram.record(1)
    var other = MetricHistogram.numbers
    other.record(1)
    other.record(3)
    histogram.add(other)
    #expect(histogram.counts == [0, 2, 0, 1, 0, 0, 0] && histogram.sum == 5)
    // Nothing can be said of values in other buckets.
    histogram.add(.sizes)
    #expect(histogram.counts == [0, 2, 0, 1, 0, 0, 0])
  }

  @Test func callsOfAServerAreAdded() {
    var (a, b) = (ServerMethodMetrics(), ServerMethodMetrics())
    a.callsStarted = 1
    b.callsStarted = 2
    a.calls[.ok, default: CallMetrics()].record(.seconds(1), sent: 10, received: 20)
    b.calls[.ok, default: CallMetrics()].record(.seconds(2), sent: 1, received: 2)
    b.calls[.internalError, default: CallMetrics()].record(.zero, sent: 0, received: 0)
    a.add(b)
    #expect(a.callsStarted == 3 && a.calls.keys.count == 2)
    #expect(a.calls[.ok]?.durations.sum == 3 && a.calls[.ok]?.durations.count == 2)
    #expect(a.calls[.ok]?.sentBytes.sum == 11 && a.calls[.ok]?.receivedBytes.sum == 22)
  }
}
