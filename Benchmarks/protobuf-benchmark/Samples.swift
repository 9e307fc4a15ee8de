import SwiftProtobuf

/// The messages that every implementation is measured with.
enum Samples {
  /// 30 karts on a course.
  static let locations = Swiftkart_Benchmark_KartLocations.with {
    $0.karts = (1...30).map { number in
      .with {
        $0.number = Int32(number)
        $0.latitude = 37.3349 + Double(number) * 0.000_123_4
        $0.longitude = -122.0090 - Double(number) * 0.000_432_1
        $0.recordedAt = Google_Protobuf_Timestamp(
          seconds: 1_781_042_400, nanos: Int32(number) * 20_000_000)
      }
    }
  }

  /// 100 races with eight drivers each.
  static let races = Swiftkart_Benchmark_ListRacesResponse.with {
    $0.races = (1...100).map { number in
      .with {
        $0.name = "Duck Pond Dash \(number)"
        $0.location = "Apple Park, Cupertino"
        $0.startTime = Google_Protobuf_Timestamp(seconds: 1_781_042_400 + Int64(number) * 3600)
        $0.laps = Int32(number % 20 + 3)
        $0.championship = "Corporate Cup"
        $0.drivers = ["Monty", "Pepper", "Mycroft", "Pancakes", "Duke", "Kiko", "Sissi", "Bo"]
      }
    }
  }

  /// A tree of 364 nodes, six levels deep.
  static let tree = tree(depth: 6, name: "root")

  private static func tree(depth: Int, name: String) -> Swiftkart_Benchmark_Tree {
    .with {
      $0.name = name
      $0.labels = ["team": "red", "class": "senior", "chassis": "OTK \(depth)", "tyre": "soft"]
      $0.weights = [1: 158.5, 2: 0.25, 3: Double(depth)]
      $0.words = ["apex", "straight", "hairpin", "chicane \(name)"]
      $0.numbers = [0, 1, -1, 300, 70_000, 1 << 40]
      guard depth > 1 else { return }
      $0.first = tree(depth: depth - 1, name: "\(name).0")
      $0.children = (1...2).map { tree(depth: depth - 1, name: "\(name).\($0)") }
    }
  }

  /// 1 MiB.
  static let blob = Swiftkart_Benchmark_Blob.with {
    $0.content = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) }
  }
}
