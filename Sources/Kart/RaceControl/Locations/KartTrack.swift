/// A kart's accepted location, and how fixes become accepted.
///
/// ```
///             first plausible fix
///   unseen ──────────────────────▶ steady ◀─────────────┐
///                                   │  ▲ fix within reach│
///            fix beyond 90 m/s away │  │ of `accepted`   │
///                                   ▼  │                 │ third fix in a row
///                                  doubted ──────────────┘ at the new place
/// ```
struct KartTrack: Sendable {
  private enum State {
    case unseen
    case steady(KartLocation)
    /// `agreeing` fixes in a row, the last of them `latest`, contradict `accepted`.
    case doubted(accepted: KartLocation, latest: KartLocation, agreeing: Int)
  }

  private var state = State.unseen

  /// No kart is faster, in metres per second.
  static let fastest = 90.0
  /// How many fixes in a row make a jump true.
  static let persistence = 3

  /// Takes a fix, or rejects it: an implausible place, one not newer than the last, or an impossible
  /// jump that has not persisted.
  ///
  /// - Returns: Whether the kart's location is now `fix`.
  mutating func take(_ fix: KartLocation) -> Bool {
    guard fix.coordinate.isPlausible else { return false }
    switch state {
    case .unseen:
      state = .steady(fix)
      return true
    case .steady(let accepted):
      guard accepted.recordedAt < fix.recordedAt else { return false }
      if Self.isWithinReach(fix, of: accepted) {
        state = .steady(fix)
        return true
      }
      state = .doubted(accepted: accepted, latest: fix, agreeing: 1)
      return false
    case .doubted(let accepted, let latest, let agreeing):
      guard accepted.recordedAt < fix.recordedAt, latest.recordedAt < fix.recordedAt else {
        return false
      }
      if Self.isWithinReach(fix, of: accepted) {
        state = .steady(fix)
        return true
      }
      let count = Self.isWithinReach(fix, of: latest) ? agreeing + 1 : 1
      guard count < Self.persistence else {
        state = .steady(fix)
        return true
      }
      state = .doubted(accepted: accepted, latest: fix, agreeing: count)
      return false
    }
  }

  private static func isWithinReach(_ fix: KartLocation, of earlier: KartLocation) -> Bool {
    let (seconds, attoseconds) = earlier.recordedAt.duration(to: fix.recordedAt).components
    let elapsed = Double(seconds) + Double(attoseconds) * 1e-18
    return earlier.coordinate.distance(to: fix.coordinate) <= fastest * elapsed
  }
}
