import RaceControl

extension RaceSimulator {
  private static let tickSeconds = 0.1
  /// From one place on the grid to the next, in metres.
  private static let gridSpacing = 7.0
  /// Close behind another kart there is less wind: within so many metres, so much faster.
  private static let slipstream = (metres: 25.0, share: 0.012)
  private static let skillRange = 0.008
  private static let formRange = 0.03
  private static let laneRange = 2.0
  /// In metres per second squared, when the race is over.
  private static let coasting = 1.0
  private static let coolDownSpeed = 8.0

  /// Puts all karts on the grid, in an order of chance.
  mutating func lineUp() {
    let drivers = configuration.drivers
    var places = Array(drivers.indices)
    for index in places.indices.dropFirst() {
      places.swapAt(index, Int(random.next() % UInt64(index + 1)))
    }
    karts = zip(drivers, places).enumerated().map { index, entry in
      SimulatedKart(
        number: Int32(index + 1), name: entry.0, skill: random.nextSigned() * Self.skillRange,
        lane: random.nextSigned() * Self.laneRange,
        distance: -Self.gridSpacing * Double(entry.1 + 1))
    }
    isFlagShown = false
  }

  /// Drives everybody through a tick.
  ///
  /// - Parameters:
  ///   - tick: The tick's end.
  ///   - green: The tick of the green flag, from which total times count.
  /// - Returns: The crossings and flags of the tick, in the order of their times.
  mutating func race(until tick: Int, since green: Int) -> [Observation] {
    let places = karts.map(\.distance)
    var crossings: [(time: Duration, index: Int)] = []
    for index in karts.indices {
      let before = karts[index].distance
      drive(&karts[index], among: places)
      let line = Double(karts[index].lap + 1) * configuration.course.length
      guard karts[index].distance >= line, !karts[index].hasFinished else { continue }
      let share = (line - before) / (karts[index].distance - before)
      let time = Self.tick * (tick - 1 - green) + .microseconds(Int64(share * 1e5))
      crossings.append((time, index))
    }
    return crossings.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
      .flatMap { cross($0.index, at: $0.time, green: green) }
  }

  /// Lets everybody roll on.
  mutating func coolDown() {
    for index in karts.indices { roll(&karts[index]) }
  }

  private mutating func cross(_ index: Int, at totalTime: Duration, green: Int) -> [Observation] {
    let observedAt = instant(of: green).advanced(by: totalTime)
    karts[index].lap += 1
    karts[index].form = random.nextBell() * Self.formRange
    // Timing systems count milliseconds.
    let milliseconds = Duration.milliseconds(Int64(totalTime / .milliseconds(1)))
    let crossing = Observation.LapCrossing(
      kartNumber: karts[index].number, lap: karts[index].lap, totalTime: milliseconds)
    var seen = [Observation(observedAt: observedAt, kind: .crossing(crossing))]
    if karts[index].lap == configuration.laps, !isFlagShown {
      isFlagShown = true
      seen.append(
        Observation(
          observedAt: observedAt,
          kind: .flag(.init(flag: .finish, totalTime: crossing.totalTime))))
    }
    if isFlagShown { karts[index].hasFinished = true }
    return seen
  }

  private func drive(_ kart: inout SimulatedKart, among places: [Double]) {
    guard !kart.hasFinished else {
      roll(&kart)
      return
    }
    let length = configuration.course.length
    let isTowed = places.contains { place in
      var ahead = (place - kart.distance).truncatingRemainder(dividingBy: length)
      if ahead < 0 { ahead += length }
      return ahead > 0 && ahead < Self.slipstream.metres
    }
    let share = 1 + kart.skill + kart.form + (isTowed ? Self.slipstream.share : 0)
    let target = profile.speed(at: kart.distance) * share
    // The profile brakes in time; only the start is from standstill.
    kart.speed = min(target, kart.speed + 3 * Self.tickSeconds)
    kart.distance += kart.speed * Self.tickSeconds
  }

  private func roll(_ kart: inout SimulatedKart) {
    kart.speed = max(kart.speed - Self.coasting * Self.tickSeconds, Self.coolDownSpeed)
    kart.speed = min(kart.speed, profile.speed(at: kart.distance))
    kart.distance += kart.speed * Self.tickSeconds
  }
}
