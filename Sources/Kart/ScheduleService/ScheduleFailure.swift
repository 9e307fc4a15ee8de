/// Why the schedule refuses a change.
enum ScheduleFailure: Error, Hashable {
  case notFound(name: String)
  case alreadyExists(name: String)
}
