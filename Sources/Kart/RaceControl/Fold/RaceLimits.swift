/// What a race has at most, so that no log, whatever was recorded into it, makes a fold slow or an
/// event large. What lies beyond is passed over, the same on every replica.
public enum RaceLimits {
  /// Karts of a session, and karts that are located: as many as the schedule takes drivers.
  public static var karts: Int { 200 }
  /// Laps of a kart, and of a session: as many as the schedule takes.
  public static var laps: Int32 { 10_000 }
  /// What may be a kart's number.
  public static var kartNumbers: ClosedRange<Int32> { 0...Int32.max }

  /// What may be a session's time, and a lap's: as much as protobuf's `Duration` holds.
  static let times = Duration.zero ... .seconds(315_576_000_000)
}
