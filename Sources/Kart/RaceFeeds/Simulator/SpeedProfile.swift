import RaceControl

/// How fast a kart can go at each place of a course: as its curves allow, and as it can accelerate
/// and brake between them.
struct SpeedProfile: Sendable {
  /// What a rental kart can do on a dusty office street, in metres and seconds.
  private enum Kart {
    static let topSpeed = 22.0
    static let grip = 3.5
    static let acceleration = 2.0
    static let braking = 4.0
  }

  /// About so many metres from one speed to the next.
  private static let spacing = 2.0

  private let step: Double
  private let speeds: [Double]

  init(course: Course) {
    let count = max(Int(course.length / Self.spacing), 1)
    let step = course.length / Double(count)
    var speeds = (0..<count).map { index in
      let curvature = abs(course.curvature(at: Double(index) * step))
      return min(Kart.topSpeed, (Kart.grip / max(curvature, 1e-9)).squareRoot())
    }
    // Twice around, for the lap before tells how a lap begins.
    for index in 1...(2 * count) {
      let before = speeds[(index - 1) % count]
      speeds[index % count] = min(
        speeds[index % count], (before * before + 2 * Kart.acceleration * step).squareRoot())
    }
    for index in (0..<(2 * count)).reversed() {
      let after = speeds[(index + 1) % count]
      speeds[index % count] = min(
        speeds[index % count], (after * after + 2 * Kart.braking * step).squareRoot())
    }
    self.step = step
    self.speeds = speeds
  }

  /// In metres per second, `distance` metres after the line.
  func speed(at distance: Double) -> Double {
    var index = Int((distance / step).rounded(.down)) % speeds.count
    if index < 0 { index += speeds.count }
    let share = distance / step - (distance / step).rounded(.down)
    let next = speeds[(index + 1) % speeds.count]
    return speeds[index] + (next - speeds[index]) * share
  }
}
