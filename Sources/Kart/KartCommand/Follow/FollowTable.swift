import KartAPI
import SwiftProtobuf

/// A followed race as lines of text: what it is worth, and a row for each kart.
struct FollowTable: Sendable {
  /// A line, and how it stands out.
  struct Line: Hashable, Sendable {
    enum Style: Hashable, Sendable {
      case plain
      case heading
      /// Not to be taken for live.
      case dimmed
    }

    var text: String
    var style = Style.plain

    /// The line without what does not fit on a terminal's, and without what would upset the terminal.
    func fitted(to columns: Int) -> Line {
      Line(text: String(text.displayable.prefix(cells: columns)), style: style)
    }
  }

  private struct Row {
    var number: Int32
    var entry: Standings.Entry?
    var kart: KartLocations.Kart?
  }

  private struct Column {
    var title: String
    var width: Int
    var text: (Row) -> String
  }

  private let race: FollowedRace
  private let now: ContinuousClock.Instant
  private let rows: [Row]
  private let leaderLap: Int32
  private let newestFix: Duration

  init(_ race: FollowedRace, at now: ContinuousClock.Instant) {
    self.race = race
    self.now = now
    let entries = race.standings?.entries ?? []
    var karts: [Int32: KartLocations.Kart] = [:]
    for kart in race.locations?.karts ?? [] { karts[kart.number] = kart }
    let ranked = Set(entries.map(\.kartNumber))
    rows =
      entries.sorted { $0.position < $1.position }
      .map { Row(number: $0.kartNumber, entry: $0, kart: karts[$0.kartNumber]) }
      + karts.values.filter { !ranked.contains($0.number) }.sorted { $0.number < $1.number }
      .map { Row(number: $0.number, entry: nil, kart: $0) }
    leaderLap = entries.map(\.lap).max() ?? 0
    newestFix = karts.values.map(Self.moment).max() ?? .zero
  }

  /// The lines, of which none is wider than the terminal and no more come than it shows.
  func lines(width: Int, height: Int) -> [Line] {
    var lines = [Line(text: "\(race.name) · \(status)", style: .heading), Line(text: "")]
    if !rows.isEmpty {
      let columns = self.columns
      lines.append(
        Line(
          text: join(columns.map { padded($0.title, to: $0.width) }), style: .heading))
      let isLive = race.freshness(at: now) == .live
      for row in rows {
        let text = join(columns.map { padded($0.text(row), to: $0.width) })
        lines.append(Line(text: text, style: isLive && !isStale(row) ? .plain : .dimmed))
      }
    }
    return lines.prefix(height).map { $0.fitted(to: width) }
  }

  /// The karts that were seen, in the order of their rows.
  var karts: [KartLocations.Kart] {
    rows.compactMap(\.kart)
  }

  private var status: String {
    let age = race.lastEventAt.map { "event \(race.sequence), \(Self.age(now - $0)) ago" }
    let state =
      switch race.freshness(at: now) {
      case .connecting: "connecting"
      case .waiting: waiting
      case .live: "LIVE"
      case .stale where race.plan?.isFinished == true: "FINISHED"
      case .stale(let silence): "STALE: nothing new for \(Self.age(silence))"
      case .reconnecting(let reason, .zero): "RECONNECTING (\(reason))"
      case .reconnecting(let reason, let wait):
        "RECONNECTING in \(Self.age(wait)) (\(reason))"
      }
    let missed = race.missed > 0 ? "\(race.missed) events missed" : nil
    return [state, age, missed].compactMap(\.self).joined(separator: " · ")
  }

  private var waiting: String {
    guard let plan = race.plan else { return "waiting for the race to begin" }
    if plan.isFinished { return "FINISHED; nothing was recorded" }
    return "waiting for the race to begin (planned: \(plan.start))"
  }

  private var columns: [Column] {
    let number = Column(title: "KART", width: 5) { "\($0.number)" }
    let fix = [
      Column(title: "LATITUDE", width: 11) { row in
        row.kart.map { FixedPoint.text($0.latitude, decimals: 5) } ?? ""
      },
      Column(title: "LONGITUDE", width: 11) { row in
        row.kart.map { FixedPoint.text($0.longitude, decimals: 5) } ?? ""
      },
      Column(title: "SEEN", width: 7) { row in
        row.kart.map { Self.age(age(of: $0)) } ?? ""
      },
    ]
    guard race.wantsStandings else { return [number] + fix }
    return [
      Column(title: "POS", width: 4) { row in row.entry.map { "\($0.position)" } ?? "" },
      number,
      Column(title: "LAP", width: 5) { row in row.entry.map { "\($0.lap)" } ?? "" },
      Column(title: "GAP", width: 11) { row in row.entry.map(gap) ?? "" },
    ] + (race.locations == nil ? [] : fix)
  }

  // A gap in time where there is one, else in laps.
  private func gap(_ entry: Standings.Entry) -> String {
    if entry.position == 1 { return "leader" }
    if entry.hasGapToLeader {
      let gap = Duration(
        secondsComponent: entry.gapToLeader.seconds,
        attosecondsComponent: Int64(entry.gapToLeader.nanos) * 1_000_000_000)
      return "+\(FixedPoint.time(gap))"
    }
    let laps = leaderLap - entry.lap
    guard entry.lap > 0, laps > 0 else { return "" }
    return laps == 1 ? "+1 lap" : "+\(laps) laps"
  }

  private func isStale(_ row: Row) -> Bool {
    row.kart.map { age(of: $0) >= FollowedRace.staleAfter } ?? false
  }

  // By the newest fix of all karts, so that the clocks of track and screen need not agree.
  private func age(of kart: KartLocations.Kart) -> Duration {
    newestFix - Self.moment(of: kart) + (race.lastEventAt.map { now - $0 } ?? .zero)
  }

  private static func moment(of kart: KartLocations.Kart) -> Duration {
    .seconds(kart.recordedAt.seconds) + .nanoseconds(kart.recordedAt.nanos)
  }

  private static func age(_ duration: Duration) -> String {
    let seconds = max(0, duration / .seconds(1))
    if seconds < 10 { return "\(FixedPoint.text(seconds, decimals: 1)) s" }
    if seconds < 120 { return "\(FixedPoint.text(seconds, decimals: 0)) s" }
    return "\(FixedPoint.text(seconds / 60, decimals: 0)) min"
  }

  private func join(_ cells: [String]) -> String {
    var line = cells.joined(separator: " ")
    while line.last == " " { line.removeLast() }
    return line
  }

  private func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
