import KartAPI
import SwiftProtobuf

/// A file of races in ProtoJSON.
///
/// Written is an `ImportRacesRequest` with a line for each race:
///
/// ```
/// {"races":[
/// {"race":{"name":"Duck Pond Dash",…}},
/// {"race":{"name":"Finite Loops",…},"finishedAt":"2026-06-08T18:00:00Z"}
/// ]}
/// ```
///
/// Read is that in any layout, the same with plain races in the list, the bare list of either, and a
/// single race of either kind.
enum RaceFile {
  typealias ScheduledRace = Swiftkart_Schedule_V1_ScheduledRace

  /// A file that holds no races, or races that are none.
  struct Malformed: Error, Hashable, CustomStringConvertible {
    var description: String
  }

  static let opening = "{\"races\":["
  static let closing = "\n]}\n"

  /// The text of a race's line, from the end of the line before on.
  static func line(_ race: ScheduledRace, isFirst: Bool) throws -> String {
    "\(isFirst ? "" : ",")\n\(try race.jsonString())"
  }

  /// Reads the races of a file, in order.
  static func races(in text: String) throws(Malformed) -> [ScheduledRace] {
    let kind = text.first { !$0.isWhitespace }
    guard kind == "[" || kind == "{" else {
      throw Malformed(description: "it is neither a list of races, {\"races\": [...]}, nor a race")
    }
    let isBare = kind == "["
    // Which of the two was meant only matters for what is said.
    let plain = Result {
      isBare
        ? try Race.array(fromJSONString: text) : try ListRacesResponse(jsonString: text).races
    }
    if let races = try? plain.get() {
      return races.map { race in ScheduledRace.with { $0.race = race } }
    }
    let scheduled = Result {
      isBare
        ? try ScheduledRace.array(fromJSONString: text)
        : try Swiftkart_Schedule_V1_ImportRacesRequest(jsonString: text).races
    }
    if let races = try? scheduled.get() { return races }
    if !isBare {
      do {
        return [try scheduledRace(in: text)]
      } catch {
        if !text.contains("\"races\"") { throw error }
      }
    }
    throw malformed(text, plain, scheduled)
  }

  /// Reads a single race, plain or as the schedule shows it.
  static func race(in text: String) throws(Malformed) -> Race {
    try scheduledRace(in: text).race
  }

  private static func scheduledRace(in text: String) throws(Malformed) -> ScheduledRace {
    let plain = Result { try Race(jsonString: text) }
    if let race = try? plain.get() { return .with { $0.race = race } }
    let scheduled = Result { try ScheduledRace(jsonString: text) }
    if let race = try? scheduled.get() { return race }
    throw malformed(text, plain, scheduled)
  }

  private static func malformed<Plain, Scheduled>(
    _ text: String, _ plain: Result<Plain, any Error>, _ scheduled: Result<Scheduled, any Error>
  ) -> Malformed {
    do {
      if text.contains("\"race\"") { _ = try scheduled.get() } else { _ = try plain.get() }
      return Malformed(description: "it holds none")
    } catch {
      return Malformed(description: "\(error)")
    }
  }
}
