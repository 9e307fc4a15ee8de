/// East and north of an origin in metres, flat: for distances of a few kilometres.
struct LocalPlane: Sendable {
  /// Metres east and north of the origin.
  struct Offset: Hashable, Sendable {
    var east: Double
    var north: Double
  }

  let origin: Coordinate
  private let metresPerDegreeEast: Double

  /// The mean radius of WGS 84 (6,371,008.8 m) times π / 180.
  private static let metresPerDegree = 111_195.08

  init(origin: Coordinate) {
    self.origin = origin
    self.metresPerDegreeEast = Self.metresPerDegree * Self.cosine(degrees: origin.latitude)
  }

  func offset(of coordinate: Coordinate) -> Offset {
    // The short way round, across the date line too.
    let degreesEast = (coordinate.longitude - origin.longitude).remainder(dividingBy: 360)
    return Offset(
      east: degreesEast * metresPerDegreeEast,
      north: (coordinate.latitude - origin.latitude) * Self.metresPerDegree)
  }

  func coordinate(at offset: Offset) -> Coordinate {
    Coordinate(
      latitude: origin.latitude + offset.north / Self.metresPerDegree,
      longitude: origin.longitude + offset.east / metresPerDegreeEast)
  }

  /// The cosine of a latitude, right to 1e-9.
  ///
  /// Its own series and not the C library's: libraries differ in the last bit, and a race's events
  /// must be the same bits wherever they are computed.
  static func cosine(degrees: Double) -> Double {
    let x = degrees * (Double.pi / 180)
    let square = x * x
    var term = 1.0
    var sum = 1.0
    for n in stride(from: 2, through: 18, by: 2) {
      term *= -square / Double(n * (n - 1))
      sum += term
    }
    return sum
  }
}
