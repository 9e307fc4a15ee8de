import RaceControl

extension RMonitorSession {
  /// A crossing completes the next lap, unless it was told before.
  mutating func take(_ crossing: RMonitorRecord.Crossing) {
    guard crossing.totalTime > .zero else { return }
    begin()
    let registration = crossing.registration
    settleDoubt(of: registration, after: 0)
    var car = car(registration)
    if let last = car.totalTime {
      // A crossing from earlier in the session was edited: what follows from it, $G will say.
      guard crossing.totalTime >= last + Self.shortestLap else {
        report.repeatedCrossings += 1
        return
      }
      guard car.laps < RaceLimits.laps else {
        note(
          .tooManyLaps,
          "registration \(registration) crosses the line after \(car.laps) laps, and a race has no more"
        )
        return
      }
      car.laps += 1
    } else {
      car.laps = crossing.lapTime == .zero ? 0 : 1
    }
    car.totalTime = crossing.totalTime
    car.crossedSinceHeartbeat = true
    cars[registration] = car
    observeCrossing(of: car)
  }

  /// The timing system's result of a competitor.
  mutating func confirm(_ result: RMonitorRecord.Result) {
    var car = car(result.registration)
    defer { cars[result.registration] = car }
    car.doubted = nil
    guard result.laps > 0 || result.totalTime > .zero else {
      // The grid, which a refresh tells before the results.
      if car.hasResult { car.doubted = .init(laps: 0, totalTime: .zero) }
      return
    }
    begin()
    if result.laps < car.laps {
      car.doubted = .init(laps: result.laps, totalTime: result.totalTime)
      return
    }
    set(&car, result)
  }

  /// Race control's word, which counts at once.
  mutating func correct(_ result: RMonitorRecord.Result) {
    begin()
    var car = car(result.registration)
    car.doubted = nil
    set(&car, result)
    cars[result.registration] = car
  }

  /// A lap from before: of use only if it is news.
  mutating func takeHistory(_ result: RMonitorRecord.Result) {
    let car = car(result.registration)
    guard result.laps > car.laps, result.totalTime > car.totalTime ?? .zero else { return }
    confirm(result)
  }

  mutating func take(_ best: RMonitorRecord.BestLap) {
    guard session.kind != .race, best.lap > 0, best.lapTime > .zero else { return }
    begin()
    let known = car(best.registration)
    guard known.bestLap != best else { return }
    cars[best.registration]?.bestLap = best
    guard known.entry != nil else { return }
    observe(
      .bestLap(.init(kartNumber: known.kartNumber, lap: best.lap, lapTime: best.lapTime)))
  }

  /// A result with fewer laps has stood long enough: it counts.
  mutating func settleDoubt(of registration: String, after heartbeats: Int) {
    guard var car = cars[registration], let doubted = car.doubted else { return }
    if doubted.heartbeats < heartbeats {
      car.doubted?.heartbeats += 1
    } else {
      car.doubted = nil
      set(
        &car,
        .init(registration: registration, laps: doubted.laps, totalTime: doubted.totalTime))
    }
    cars[registration] = car
  }

  /// Sets a competitor's result, and tells how it came about: by a crossing where it can have been
  /// one, else by a correction.
  private mutating func set(_ car: inout RMonitorCar, _ result: RMonitorRecord.Result) {
    guard result.laps != car.laps || result.totalTime != car.totalTime else { return }
    let isCrossing =
      if let last = car.totalTime {
        result.laps > car.laps && result.totalTime >= last + Self.shortestLap
      } else {
        true
      }
    let begins = result.laps == 0 && result.totalTime == .zero
    car.laps = result.laps
    car.totalTime = begins ? nil : result.totalTime
    if isCrossing {
      car.crossedSinceHeartbeat = true
      observeCrossing(of: car)
    } else if car.entry != nil {
      observe(
        .correction(
          .init(kartNumber: car.kartNumber, laps: result.laps, totalTime: result.totalTime)))
    }
  }

  private mutating func observeCrossing(of car: RMonitorCar) {
    guard car.entry != nil, let totalTime = car.totalTime else { return }
    observe(.crossing(.init(kartNumber: car.kartNumber, lap: car.laps, totalTime: totalTime)))
  }
}
