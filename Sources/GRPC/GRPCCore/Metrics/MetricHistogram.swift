/// How many values there were of which size.
///
/// The first bucket holds the values up to the first boundary, the boundary included; the last one those above the last
/// boundary. The boundaries are those of gRPC's proposals A66 and A96.
public struct MetricHistogram: Sendable, Hashable {
  /// The upper ends of all buckets but the last, in order.
  public let boundaries: [Double]
  /// How many values fell into each bucket, one more than there are boundaries.
  public private(set) var counts: [Int]
  /// The values' sum.
  public private(set) var sum: Double = 0

  /// Makes a histogram of no values.
  ///
  /// - Parameter boundaries: The upper ends of all buckets but the last, in order.
  public init(boundaries: [Double]) {
    self.boundaries = boundaries
    counts = Array(repeating: 0, count: boundaries.count + 1)
  }

  /// A histogram of times, in seconds, from 10 µs to 100 s.
  public static var latencies: Self { Self(boundaries: latencyBoundaries) }

  /// A histogram of sizes, in bytes, from 1 KiB to 4 GiB.
  public static var sizes: Self { Self(boundaries: sizeBoundaries) }

  /// A histogram of small numbers, from 0 to 5.
  public static var numbers: Self { Self(boundaries: [0, 1, 2, 3, 4, 5]) }

  private static let latencyBoundaries: [Double] = [
    0, 0.00001, 0.00005, 0.0001, 0.0003, 0.0006, 0.0008, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006,
    0.008, 0.01, 0.013, 0.016, 0.02, 0.025, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.13, 0.16, 0.2,
    0.25, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 2, 5, 10, 20, 50, 100,
  ]

  private static let sizeBoundaries: [Double] = [
    0, 1024, 2048, 4096, 16384, 65536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
    268_435_456, 1_073_741_824, 4_294_967_296,
  ]

  /// How many values there were.
  public var count: Int { counts.reduce(0, +) }

  /// Adds a value.
  ///
  /// - Parameter value: The value.
  public mutating func record(_ value: Double) {
    var low = 0
    var high = boundaries.count
    while low < high {
      let middle = (low + high) / 2
      if boundaries[middle] < value { low = middle + 1 } else { high = middle }
    }
    counts[low] += 1
    sum += value
  }

  /// Adds a time, in seconds.
  ///
  /// - Parameter duration: The time.
  public mutating func record(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    record(Double(seconds) + Double(attoseconds) * 1e-18)
  }

  /// Adds the values of another histogram with the same boundaries.
  ///
  /// - Parameter other: The histogram.
  public mutating func add(_ other: Self) {
    guard other.boundaries == boundaries else { return }
    for (bucket, count) in other.counts.enumerated() { counts[bucket] += count }
    sum += other.sum
  }
}
