/// Observations that were logged together: they count whole or not at all, and make at most one
/// event of each type.
public struct Batch: Hashable, Sendable {
  /// In the order recorded.
  public var observations: [Observation]

  /// A batch of `observations`.
  public init(_ observations: [Observation] = []) {
    self.observations = observations
  }

  /// Whether a session starts here. Then nothing before the batch matters to any event from it on,
  /// and a fold may begin with it: `RaceState(after:)` with the number of the last event before.
  public var startsSession: Bool {
    observations.contains {
      if case .sessionStart = $0.kind { true } else { false }
    }
  }
}
