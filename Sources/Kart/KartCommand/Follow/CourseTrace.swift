import Glibc
import KartAPI

/// Where karts were seen: the course, as far as it is known, to be drawn with characters.
struct CourseTrace: Sendable {
  /// A place, to about a metre.
  private struct Place: Hashable {
    var latitude: Int32
    var longitude: Int32

    init?(_ kart: KartLocations.Kart) {
      guard abs(kart.latitude) <= 90, abs(kart.longitude) <= 180 else { return nil }
      latitude = Int32((kart.latitude * Self.perDegree).rounded())
      longitude = Int32((kart.longitude * Self.perDegree).rounded())
    }

    static let perDegree = 1e5
  }

  /// How many places are kept. A lap of a kilometre at 10 Hz takes some hundreds.
  private static let capacity = 20_000
  /// Karts that stay within so many metres make no course.
  private static let smallestExtent = 20.0

  private var places: Set<Place> = []
  private var south = Int32.max
  private var north = Int32.min
  private var west = Int32.max
  private var east = Int32.min

  /// Takes note of where karts are.
  mutating func add(_ locations: KartLocations) {
    for place in locations.karts.compactMap(Place.init) where places.count < Self.capacity {
      guard places.insert(place).inserted else { continue }
      south = min(south, place.latitude)
      north = max(north, place.latitude)
      west = min(west, place.longitude)
      east = max(east, place.longitude)
    }
  }

  /// The course with the karts on it, north up.
  ///
  /// - Parameters:
  ///   - karts: Those to be shown by their numbers, the first on top.
  ///   - width: How many columns there are.
  ///   - height: How many lines there are.
  /// - Returns: The lines; none where there is no course yet or no room for one.
  func lines(_ karts: [KartLocations.Kart], width: Int, height: Int) -> [String] {
    guard width >= 20, height >= 5, let scale = Scale(self, width: width, height: height) else {
      return []
    }
    var cells = [[Character]](
      repeating: [Character](repeating: " ", count: scale.columns), count: scale.rows)
    for place in places {
      let (column, row) = scale.cell(of: place)
      cells[row][column] = "·"
    }
    for kart in karts.reversed() {
      guard let place = Place(kart), contains(place) else { continue }
      let (column, row) = scale.cell(of: place)
      for (offset, digit) in "\(kart.number)".enumerated()
      where column + offset < scale.columns {
        cells[row][column + offset] = digit
      }
    }
    return cells.map { row in
      String(row[..<((row.lastIndex { $0 != " " } ?? -1) + 1)])
    }
  }

  private func contains(_ place: Place) -> Bool {
    (south...north).contains(place.latitude) && (west...east).contains(place.longitude)
  }

  /// From places to cells, which are twice as high as wide.
  private struct Scale {
    let columns: Int
    let rows: Int
    private let metresPerColumn: Double
    private let metresPerLongitude: Double
    private let north: Int32
    private let west: Int32
    private static let metresPerLatitude = 111_320 / Place.perDegree

    init?(_ trace: CourseTrace, width: Int, height: Int) {
      guard trace.south < trace.north || trace.west < trace.east else { return nil }
      let middle = Double(trace.north + trace.south) / 2 / Place.perDegree
      // Never zero, not even at a pole.
      metresPerLongitude = Self.metresPerLatitude * max(0.01, cos(middle * .pi / 180))
      let high = Double(trace.north - trace.south) * Self.metresPerLatitude
      let wide = Double(trace.east - trace.west) * metresPerLongitude
      guard max(high, wide) >= CourseTrace.smallestExtent else { return nil }
      metresPerColumn = max(wide / Double(width - 1), high / Double(2 * (height - 1)))
      columns = min(width, Int((wide / metresPerColumn).rounded()) + 1)
      rows = min(height, Int((high / metresPerColumn / 2).rounded()) + 1)
      north = trace.north
      west = trace.west
    }

    func cell(of place: Place) -> (column: Int, row: Int) {
      let x = Double(place.longitude - west) * metresPerLongitude / metresPerColumn
      let y = Double(north - place.latitude) * Self.metresPerLatitude / metresPerColumn / 2
      return (min(columns - 1, Int(x.rounded())), min(rows - 1, Int(y.rounded())))
    }
  }
}
