import KartAPI

/// A race of the demo, as it is in the schedule.
struct DemoRace: Hashable, Sendable {
  var name: String
  var location: String
  var laps: Int32

  /// The drivers of every demo race, by kart number from 1 on.
  static let drivers = ["Monty", "Pepper", "Mycroft", "Pancakes", "Duke", "Kiko", "Sissi", "Bo"]

  static let all = [
    DemoRace(name: "Finite Loops", location: "Infinite Loop campus, Cupertino", laps: 10),
    DemoRace(name: "Duck Pond Dash", location: "Apple Park, Cupertino", laps: 6),
  ]
}
