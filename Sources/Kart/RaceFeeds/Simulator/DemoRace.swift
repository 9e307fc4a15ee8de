import RaceControl

/// A race that shows what SwiftKart does without a track at hand.
public struct DemoRace: Sendable {
  /// The race's name in the league.
  public let name: String
  /// Where it is.
  public let location: String
  /// What it counts for.
  public let championship: String
  /// The distance.
  public let laps: Int32
  /// The course that is driven.
  public let course: Course
  /// In the order of their kart numbers, which count from 1.
  public let drivers: [String]

  /// On the Infinite Loop campus.
  public static let finiteLoops = DemoRace(
    name: "Finite Loops", location: "Infinite Loop campus",
    championship: "Corporate Cup",
    laps: 8, course: .infiniteLoop, drivers: eightDrivers)

  /// Around Apple Park.
  public static let duckPondDash = DemoRace(
    name: "Duck Pond Dash", location: "Apple Park, Cupertino", championship: "Corporate Cup",
    laps: 6, course: .applePark, drivers: eightDrivers)

  /// Both, by name.
  public static let all = [duckPondDash, finiteLoops]

  private static let eightDrivers = [
    "Monty", "Pepper", "Mycroft", "Pancakes", "Duke", "Kiko", "Sissi", "Bo",
  ]

  /// A simulator of this race.
  ///
  /// - Parameters:
  ///   - seed: Decides everything that is left to chance.
  ///   - start: When the first tick is.
  public func simulator(seed: UInt64, start: UTCInstant) -> RaceSimulator {
    RaceSimulator(
      .init(course: course, laps: laps, drivers: drivers, seed: seed, start: start))
  }
}
