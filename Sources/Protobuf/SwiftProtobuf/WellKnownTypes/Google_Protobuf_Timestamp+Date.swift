public import FoundationEssentials

extension Google_Protobuf_Timestamp {
  /// Creates the timestamp nearest to a date.
  ///
  /// - Parameters:
  ///   - date: the time.
  ///   - rule: how to round to nanoseconds.
  public init(rounding date: Date, rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
    self.init(roundingTimeIntervalSince1970: date.timeIntervalSince1970, rule: rule)
  }

  /// Creates the timestamp nearest to a date.
  public init(date: Date) {
    self.init(rounding: date)
  }

  /// The time as a date, to the precision of a `Double` of seconds.
  public var date: Date { Date(timeIntervalSince1970: timeIntervalSince1970) }
}
