import RaceControl
import Testing

@Suite struct CoordinateTests {
  @Test(arguments: [
    // One degree along a meridian, and along parallels.
    (0.0, 8.0, 1.0, 8.0, 111_195.08),
    (0.0, 8.0, 0.0, 9.0, 111_195.08),
    (60.0, 8.0, 60.0, 9.0, 55_597.54),
    (-60.0, 179.5, -60.0, -179.5, 55_597.54),
    (89.0, 0.0, 89.0, 1.0, 1_940.62),
  ])
  func distance(a: Double, b: Double, c: Double, d: Double, metres: Double) {
    let distance = Coordinate(latitude: a, longitude: b)
      .distance(to: Coordinate(latitude: c, longitude: d))
    #expect(abs(distance - metres) < 0.01)
  }
}
