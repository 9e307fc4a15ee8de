/// A closed course: a line that ends where it begins, driven in the order of its points.
public struct Course: Sendable {
  /// What the course is called.
  public let name: String
  /// The corners of the line; the last is joined to the first. The start and finish line is at the
  /// first.
  public let points: [Coordinate]
  /// Once around, in metres.
  public let length: Double

  let plane: LocalPlane
  /// The points on the plane.
  let vertices: [LocalPlane.Offset]
  /// How far along the course each point is, in metres.
  let distances: [Double]
  /// The curvature at each point, in 1/metres: positive where the course turns left.
  let curvatures: [Double]

  /// A course through `points`.
  ///
  /// - Precondition: There are at least three points, no two neighbours in the same place.
  public init(name: String, points: [Coordinate]) {
    precondition(points.count >= 3, "a course has at least three points")
    self.name = name
    self.points = points
    let plane = LocalPlane(origin: points[0])
    let vertices = points.map(plane.offset(of:))
    var distances: [Double] = []
    var length = 0.0
    for index in vertices.indices {
      distances.append(length)
      length += vertices[index].distance(to: vertices[(index + 1) % vertices.count])
    }
    self.plane = plane
    self.vertices = vertices
    self.distances = distances
    self.length = length
    self.curvatures = vertices.indices.map { index in
      Self.curvature(
        through: vertices[(index + vertices.count - 1) % vertices.count], vertices[index],
        vertices[(index + 1) % vertices.count])
    }
  }

  /// The curvature of the circle through three points (Menger's), signed.
  private static func curvature(
    through a: LocalPlane.Offset, _ b: LocalPlane.Offset, _ c: LocalPlane.Offset
  ) -> Double {
    let doubleArea =
      (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east)
    let sides = a.distance(to: b) * b.distance(to: c) * c.distance(to: a)
    return sides > 0 ? 2 * doubleArea / sides : 0
  }
}

extension LocalPlane.Offset {
  /// In metres.
  func distance(to other: LocalPlane.Offset) -> Double {
    let east = other.east - east
    let north = other.north - north
    return (east * east + north * north).squareRoot()
  }
}
