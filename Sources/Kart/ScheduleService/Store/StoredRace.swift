/// A race as the schedule keeps it: what it is found and ordered by, and its message as bytes, so that
/// listing races decodes none.
struct StoredRace: Sendable, Hashable {
  var name: String
  var start: Moment
  /// The serialized `Race`.
  var message: [UInt8]
  /// When the race was marked as finished.
  var finishedAt: Moment?

  /// A point in time as protobuf has it: seconds and nanoseconds since 1970.
  struct Moment: Sendable, Hashable {
    var seconds: Int64
    var nanoseconds: Int32
  }
}
