/// A moment in UTC, counted from 1970-01-01T00:00:00Z.
public struct UTCInstant: InstantProtocol {
  /// The time since 1970-01-01T00:00:00Z, without leap seconds.
  public var sinceEpoch: Duration

  /// A moment by its distance from the epoch.
  public init(sinceEpoch: Duration) {
    self.sinceEpoch = sinceEpoch
  }

  /// A moment as protobuf's `Timestamp` writes it.
  ///
  /// - Parameters:
  ///   - seconds: Whole seconds since 1970-01-01T00:00:00Z.
  ///   - nanoseconds: The fraction, counting forward in time.
  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.sinceEpoch = .seconds(seconds) + .nanoseconds(Int64(nanoseconds))
  }

  /// Whole seconds since the epoch, rounded down.
  public var seconds: Int64 {
    let (seconds, attoseconds) = sinceEpoch.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }

  /// The fraction after ``seconds``: 0 to 999,999,999.
  public var nanoseconds: Int32 {
    let nanoseconds = Int32(sinceEpoch.components.attoseconds / 1_000_000_000)
    return sinceEpoch.components.attoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds
  }

  /// The moment `duration` later.
  public func advanced(by duration: Duration) -> UTCInstant {
    UTCInstant(sinceEpoch: sinceEpoch + duration)
  }

  /// How much later `other` is.
  public func duration(to other: UTCInstant) -> Duration {
    other.sinceEpoch - sinceEpoch
  }

  /// Whether this lies between the years 1 and 9999, as what protobuf's `Timestamp` holds does.
  var isInCalendar: Bool { Self.calendar.contains(sinceEpoch) }

  private static let calendar = Duration.seconds(-62_135_596_800)..<(.seconds(253_402_300_800))

  /// Whether `lhs` is earlier.
  public static func < (lhs: UTCInstant, rhs: UTCInstant) -> Bool {
    lhs.sinceEpoch < rhs.sinceEpoch
  }
}
