extension Google_Protobuf_Timestamp {
  /// Creates a timestamp.
  ///
  /// - Parameters:
  ///   - seconds: seconds since 1970-01-01T00:00:00Z.
  ///   - nanos: nanoseconds to add, 0 to 999,999,999.
  public init(seconds: Int64, nanos: Int32 = 0) {
    self.init()
    self.seconds = seconds
    self.nanos = nanos
  }

  /// Creates the timestamp nearest to a time.
  ///
  /// - Parameters:
  ///   - timeIntervalSince1970: seconds since 1970-01-01T00:00:00Z; what is not finite or beyond the
  ///     range of `Int64` becomes the nearest that is.
  ///   - rule: how to round to nanoseconds.
  public init(
    roundingTimeIntervalSince1970 timeIntervalSince1970: Double,
    rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) {
    self.init()
    var seconds = timeIntervalSince1970.rounded(.down)
    var nanos = ((timeIntervalSince1970 - seconds) * 1_000_000_000).rounded(rule)
    if nanos >= 1_000_000_000 {
      seconds += 1
      nanos = 0
    }
    self.seconds = Int64(clamping: seconds)
    self.nanos = Int32(clamping: nanos)
  }

  /// The time in seconds since 1970-01-01T00:00:00Z.
  public var timeIntervalSince1970: Double {
    Double(seconds) + Double(nanos) / 1_000_000_000
  }
}
