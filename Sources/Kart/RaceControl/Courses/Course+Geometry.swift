extension Course {
  /// Where something is relative to the course.
  public struct Projection: Hashable, Sendable {
    /// How far along the course the nearest place of it is, in metres from the line.
    public var distance: Double
    /// How far off the course it is, in metres: positive to the left of the driving direction.
    public var offset: Double
  }

  /// The place `distance` metres after the line, whole laps included, and `offset` metres to the
  /// left of the course.
  public func point(at distance: Double, offset: Double = 0) -> Coordinate {
    let (index, along) = segment(at: distance)
    let a = vertices[index]
    let b = vertices[(index + 1) % vertices.count]
    let length = a.distance(to: b)
    let forward = LocalPlane.Offset(
      east: (b.east - a.east) / length, north: (b.north - a.north) / length)
    return plane.coordinate(
      at: LocalPlane.Offset(
        east: a.east + forward.east * along - forward.north * offset,
        north: a.north + forward.north * along + forward.east * offset))
  }

  /// The curvature `distance` metres after the line, in 1/metres: positive where the course turns
  /// left.
  public func curvature(at distance: Double) -> Double {
    let (index, along) = segment(at: distance)
    let next = (index + 1) % vertices.count
    let share = along / vertices[index].distance(to: vertices[next])
    return curvatures[index] + (curvatures[next] - curvatures[index]) * share
  }

  /// The place of the course that is nearest to `coordinate`.
  public func projection(of coordinate: Coordinate) -> Projection {
    let place = plane.offset(of: coordinate)
    var nearest = Double.infinity
    var result = Projection(distance: 0, offset: 0)
    for index in vertices.indices {
      let a = vertices[index]
      let b = vertices[(index + 1) % vertices.count]
      let length = a.distance(to: b)
      let (east, north) = ((b.east - a.east) / length, (b.north - a.north) / length)
      let (toEast, toNorth) = (place.east - a.east, place.north - a.north)
      let along = min(max(toEast * east + toNorth * north, 0), length)
      let foot = LocalPlane.Offset(east: a.east + east * along, north: a.north + north * along)
      let distance = foot.distance(to: place)
      guard distance < nearest else { continue }
      nearest = distance
      let isLeft = east * toNorth - north * toEast >= 0
      result = Projection(distance: distances[index] + along, offset: isLeft ? distance : -distance)
    }
    if result.distance >= length { result.distance -= length }
    return result
  }

  /// The segment `distance` metres after the line, and how far into it that is.
  private func segment(at distance: Double) -> (index: Int, along: Double) {
    var wrapped = distance.truncatingRemainder(dividingBy: length)
    if wrapped < 0 { wrapped += length }
    var low = 0
    var high = distances.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if distances[middle] <= wrapped { low = middle } else { high = middle }
    }
    return (low, wrapped - distances[low])
  }
}
