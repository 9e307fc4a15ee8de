import Glibc

@testable import RaceFeeds

/// The captures that lie beside the package, for those who have them.
enum Capture {
  private static let folder =
    #filePath.split(separator: "/").dropLast(4)
    .reduce("") { $0 + "/" + $1 } + "/../shared/data/"

  static let areAvailable = access(folder, R_OK) == 0

  struct Unreadable: Error {
    var path: String
  }

  static func read(_ name: String) throws -> [UInt8] {
    guard let file = fopen(folder + name, "rb") else { throw Unreadable(path: folder + name) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// The last `$G` of each kart, and a lap more for a `$J` after it that is news. The captures'
  /// karts have plain numbers, equal to their registrations.
  static func lastResults(_ bytes: [UInt8]) -> [Int32: RMonitorRecord.Result] {
    var parser = RMonitorParser()
    var results: [Int32: RMonitorRecord.Result] = [:]
    for case .record(let record) in (parser.read(bytes) + parser.finish()).map(\.content) {
      switch record {
      case .racePosition(let result):
        if let number = Int32(result.registration) { results[number] = result }
      case .crossing(let crossing):
        guard let number = Int32(crossing.registration), let result = results[number],
          crossing.totalTime > result.totalTime + .seconds(1), crossing.lapTime > .zero
        else { continue }
        results[number]?.laps += 1
        results[number]?.totalTime = crossing.totalTime
      default: break
      }
    }
    return results
  }
}
