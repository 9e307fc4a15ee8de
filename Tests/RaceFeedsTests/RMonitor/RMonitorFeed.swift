import RaceControl

@testable import RaceFeeds

/// A feed that was read from its beginning to its end.
struct RMonitorFeed {
  var batches: [Batch] = []
  var report = RMonitorReport()
  var state = RaceState()
  var events: [RaceEvent] = []

  /// Reads the parts of a feed, of which each ends its line. A batch is taken after every line.
  init(_ parts: String..., as kind: SessionKind = .race, laps: Int32 = 0) {
    let text = Sample.lines(parts)
    self.init(session: .init(kind: kind, laps: laps), bytes: Array(text.utf8))
  }

  init(session: Observation.SessionStart, bytes: [UInt8]) {
    var parser = RMonitorParser()
    var session = RMonitorSession(session: session)
    for line in parser.read(bytes) + parser.finish() {
      session.take(line, receivedAt: UTCInstant(seconds: Int64(line.number)))
      take(session.takeBatch())
    }
    session.finish()
    take(session.takeBatch())
    report = session.report
  }

  private mutating func take(_ batch: Batch?) {
    guard let batch else { return }
    batches.append(batch)
    events += state.apply(batch)
  }

  /// What was observed, without the times.
  var observed: [Observation.Kind] { batches.flatMap { $0.observations.map(\.kind) } }

  /// Kart, laps; the leader first.
  var order: [[Int32]] { state.standings.map { [$0.kartNumber, $0.lap] } }
}

/// Records as a timing system sends them, for races of few karts.
enum Sample {
  /// The parts of a feed, of which each ends its line.
  static func feed(_ parts: String...) -> String { lines(parts) }

  static func lines(_ parts: [String]) -> String { parts.map { $0 + "\n" }.joined() }

  static let entries = """
    $A,"1","1",1001,"Ada","","",1
    $A,"2","2",1002,"Bob","","",1
    $A,"3","3",1003,"Cy","","",1
    """

  static let green = #"$F,9999,"00:05:00","12:00:00","00:00:00","Green ""#

  static func heartbeat(_ second: Int, _ flag: String = "Green ") -> String {
    let text = second < 10 ? "0\(second)" : "\(second)"
    return #"$F,9999,"00:05:00","12:00:\#(text)","00:00:\#(text)","\#(flag)""#
  }
}
