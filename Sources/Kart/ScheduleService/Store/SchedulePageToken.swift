/// Where a page of the schedule ended: the last race of it. As text it is a page token.
struct SchedulePageToken: Sendable, Hashable {
  var start: StoredRace.Moment
  var name: String

  init(after race: StoredRace) {
    start = race.start
    name = race.name
  }

  /// Reads a token; nil where the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let seconds = Int64(parts[0]), let nanoseconds = Int32(parts[1]),
      !parts[2].isEmpty
    else { return nil }
    start = .init(seconds: seconds, nanoseconds: nanoseconds)
    name = String(parts[2])
  }

  var text: String {
    "\(start.seconds).\(start.nanoseconds).\(name)"
  }
}
