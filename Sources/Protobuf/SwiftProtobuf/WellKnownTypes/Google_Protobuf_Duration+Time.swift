extension Google_Protobuf_Duration: ExpressibleByFloatLiteral {
  /// Creates a duration.
  ///
  /// - Parameters:
  ///   - seconds: whole seconds.
  ///   - nanos: nanoseconds to add, less than a second and of the same sign.
  public init(seconds: Int64, nanos: Int32 = 0) {
    self.init()
    self.seconds = seconds
    self.nanos = nanos
  }

  /// Creates a duration from a literal of seconds.
  public init(floatLiteral seconds: Double) {
    self.init(rounding: seconds)
  }

  /// Creates the duration nearest to a number of seconds.
  ///
  /// - Parameters:
  ///   - seconds: what is not finite or beyond the range of `Int64` becomes the nearest that is.
  ///   - rule: how to round to nanoseconds.
  public init(
    rounding seconds: Double, rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) {
    self.init()
    var whole = seconds.rounded(.towardZero)
    var nanos = ((seconds - whole) * 1_000_000_000).rounded(rule)
    if nanos.magnitude >= 1_000_000_000 {
      whole += nanos < 0 ? -1 : 1
      nanos = 0
    }
    self.seconds = Int64(clamping: whole)
    self.nanos = Int32(clamping: nanos)
  }

  /// Creates the duration nearest to one of Swift's, which count attoseconds.
  ///
  /// - Parameters:
  ///   - duration: the duration.
  ///   - rule: how to round to nanoseconds.
  public init(
    rounding duration: Duration, rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) {
    self.init()
    let (seconds, attoseconds) = duration.components
    // The remainder is below 2^60, so a double can't hold it: round in integers around it.
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let nanos = whole + Int64((Double(rest) / 1_000_000_000).rounded(rule))
    if nanos.magnitude >= 1_000_000_000 {
      self.seconds = seconds + (nanos < 0 ? -1 : 1)
    } else {
      self.seconds = seconds
      self.nanos = Int32(nanos)
    }
  }

  /// The duration in seconds.
  public var timeInterval: Double { Double(seconds) + Double(nanos) / 1_000_000_000 }
}

extension Duration {
  /// Creates the same duration as a protobuf one.
  public init(_ duration: Google_Protobuf_Duration) {
    self.init(
      secondsComponent: duration.seconds,
      attosecondsComponent: Int64(duration.nanos) * 1_000_000_000)
  }
}
