import RaceControl

/// A record of the RMonitor timing feed, as far as it matters here.
public enum RMonitorRecord: Hashable, Sendable {
  /// `$F`: about once a second.
  case heartbeat(Heartbeat)
  /// `$A` and `$COMP`: the two tell the same of a competitor, in any order.
  case competitor(Competitor)
  /// `$B`: which run is timed.
  case run(number: String, description: String)
  /// `$C`: a class's description.
  case category(number: String, description: String)
  /// `$E`: the track's name or length.
  case setting(name: String, value: String)
  /// `$G`: a competitor's laps and total time.
  case racePosition(Result)
  /// `$H`: a competitor's best lap.
  case bestLap(BestLap)
  /// `$I`: clear everything, if a refresh follows.
  case clear
  /// `$J`: a competitor crossed the line.
  case crossing(Crossing)
  /// `$COR`: a competitor's corrected laps and total time.
  case correction(Result)
  /// `$RMHL`: a lap that was completed earlier, added by relays.
  case lapHistory(Result)
  /// `$RMS`, `$RMLT` and `$RMCA`: a relay's own notes, which change nothing.
  case relayNote

  /// The clock and the flag.
  public struct Heartbeat: Hashable, Sendable {
    /// The venue's time of day, since midnight; it has no zone.
    public var timeOfDay: Duration?
    /// The session's time. Before the start it counts down, in several ways.
    public var raceTime: Duration?
    /// The flag's name in lower case; empty for none.
    public var flag: String
  }

  /// A competitor.
  public struct Competitor: Hashable, Sendable {
    /// The key in all other records.
    public var registration: String
    /// The number on the kart, which need not be a number.
    public var number: String
    /// Empty where the record has none, or an empty one.
    public var transponder: String
    /// The driver or team.
    public var name: String
  }

  /// A competitor's laps and total time.
  public struct Result: Hashable, Sendable {
    /// Whose.
    public var registration: String
    /// 0 before the first lap.
    public var laps: Int32
    /// The session's time at the last crossing; zero before the first.
    public var totalTime: Duration
  }

  /// A competitor's best lap.
  public struct BestLap: Hashable, Sendable {
    /// Whose.
    public var registration: String
    /// 0 before the first lap.
    public var lap: Int32
    /// Zero before the first lap.
    public var lapTime: Duration
  }

  /// A crossing of the line. The record does not say which lap it completes.
  public struct Crossing: Hashable, Sendable {
    /// Whose.
    public var registration: String
    /// Zero at the start of lap 1.
    public var lapTime: Duration
    /// The session's time.
    public var totalTime: Duration
  }
}

extension RMonitorRecord {
  /// The competitor that the record is about, if it is about one.
  var registration: String? {
    switch self {
    case .competitor(let competitor): competitor.registration
    case .racePosition(let result), .correction(let result), .lapHistory(let result):
      result.registration
    case .bestLap(let best): best.registration
    case .crossing(let crossing): crossing.registration
    case .heartbeat, .run, .category, .setting, .clear, .relayNote: nil
    }
  }
}
