/// A kart and its driver in the simulator.
struct SimulatedKart: Hashable, Sendable {
  let number: Int32
  let name: String
  /// How good the driver is: a share of the speed, around 0.
  let skill: Double
  /// Metres to the left of the course's line.
  let lane: Double
  /// Metres from the line; below 0 on the grid.
  var distance: Double
  /// In metres per second.
  var speed = 0.0
  /// How well this lap goes: a share of the speed, around 0.
  var form = 0.0
  /// Laps completed; -1 before the start crossing.
  var lap: Int32 = -1
  var hasFinished = false
}
