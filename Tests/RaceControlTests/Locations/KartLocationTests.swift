import RaceControl
import Testing

/// Which fixes become a kart's location.
@Suite struct KartLocationTests {
  /// A fix `metres` north of a place, `second` seconds in.
  struct Fix: Sendable {
    var second: Double
    var metres: Double

    init(_ second: Double, _ metres: Double) {
      self.second = second
      self.metres = metres
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var fixes: [Fix]
    var accepted: [Bool]

    init(_ testDescription: String, _ fixes: [Fix], accepted: [Bool]) {
      self.testDescription = testDescription
      self.fixes = fixes
      self.accepted = accepted
    }
  }

  @Test(arguments: [
    Case(
      "a kart drives", [.init(0, 0), .init(0.1, 2), .init(0.2, 4)], accepted: [true, true, true]),
    Case("as fast as anything does", [.init(0, 0), .init(1, 89.9)], accepted: [true, true]),
    Case("faster than anything does", [.init(0, 0), .init(1, 91)], accepted: [true, false]),
    Case(
      "one jump and back", [.init(0, 0), .init(0.1, 500), .init(0.2, 4)],
      accepted: [true, false, true]),
    Case(
      "a position that persists",
      [.init(0, 0), .init(0.1, 500), .init(0.2, 502), .init(0.3, 504), .init(0.4, 506)],
      accepted: [true, false, false, true, true]),
    Case(
      "jumps that do not agree",
      [.init(0, 0), .init(0.1, 500), .init(0.2, 900), .init(0.3, 500), .init(0.4, 900)],
      accepted: [true, false, false, false, false]),
    Case(
      "jumps that are interrupted",
      [
        .init(0, 0), .init(0.1, 500), .init(0.2, 502), .init(0.3, 6), .init(0.4, 504),
        .init(0.5, 10),
      ],
      accepted: [true, false, false, true, false, true]),
    Case("far after a drop-out", [.init(0, 0), .init(30, 900)], accepted: [true, true]),
    Case("out of order", [.init(1, 0), .init(0.5, 1)], accepted: [true, false]),
    Case("twice the same", [.init(1, 0), .init(1, 0)], accepted: [true, false]),
    Case("parked", [.init(0, 0), .init(1, 0), .init(2, 0)], accepted: [true, true, true]),
  ])
  func fixes(_ test: Case) {
    var state = RaceState()
    let accepted = test.fixes.map { fix in
      !state.apply(.at(fix.second, .locate(1, 37.3318 + fix.metres / 111_195.08, -122.0302)))
        .isEmpty
    }
    #expect(accepted == test.accepted)
  }

  @Test(arguments: [
    (0.0, 0.0), (0.0004, -0.0004), (91, 0), (-90.5, 8), (50, 180.5), (.nan, 8), (50, .nan),
    (.infinity, 8), (50, -.infinity),
  ])
  func `a place that is none is rejected`(latitude: Double, longitude: Double) {
    var state = RaceState()
    #expect(state.apply(.at(1, .locate(1, latitude, longitude))).isEmpty)
    // And leaves no trace: the next good fix is the first.
    #expect(state.apply(.at(1, .locate(1, 50, 8))).count == 1)
  }

  @Test func `a kart may cross the equator or the date line`() {
    var state = RaceState()
    #expect(state.apply(.at(1, .locate(1, 0, 8))).count == 1)
    #expect(state.apply(.at(1, .locate(2, -17, 179.99999))).count == 1)
    #expect(state.apply(.at(1.1, .locate(2, -17, -179.99999))).count == 1)
  }
}
