/// A place on the earth, WGS 84.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double

  /// The place at `latitude` degrees north and `longitude` degrees east.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The distance to another place in metres, on a plane that touches the earth between them: right
  /// to a millimetre over the size of a course, and good enough to tell a jump across the world.
  public func distance(to other: Coordinate) -> Double {
    let offset = LocalPlane(origin: self).offset(of: other)
    return (offset.east * offset.east + offset.north * offset.north).squareRoot()
  }

  /// Whether this is a place at all, and not what a receiver without a fix reports: 0,0 or nonsense.
  public var isPlausible: Bool {
    // Not a number fails every comparison.
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return false }
    return abs(latitude) > Self.nullIsland || abs(longitude) > Self.nullIsland
  }

  /// About 100 m, in degrees: receivers round their "no fix" differently.
  private static let nullIsland = 0.001
}
