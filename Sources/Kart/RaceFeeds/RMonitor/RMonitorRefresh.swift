/// What a refresh has told so far: everything, in several hundred records and no order.
struct RMonitorRefresh: Sendable {
  var run: String?
  /// Whom it has told something of.
  var registrations: Set<String> = []
  /// In the order entered.
  var entries: [RMonitorRecord.Competitor] = []
  /// The newest of each registration; the grid is told before the results.
  var results: [String: RMonitorRecord.Result] = [:]
  var bests: [String: RMonitorRecord.BestLap] = [:]
  /// What happened meanwhile.
  var crossings: [RMonitorRecord] = []
  var heartbeats = 0

  /// The entry of a registration. $A and $COMP tell it twice, and $A knows more.
  func entry(of registration: String) -> RMonitorRecord.Competitor? {
    entries.first { $0.registration == registration }
  }

  var hasResults: Bool {
    results.values.contains { $0.laps > 0 || $0.totalTime > .zero }
  }
}
