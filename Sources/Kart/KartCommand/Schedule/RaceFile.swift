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
/// Read is that in any layout, the same with plain races in the list, and the bare list of either.
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
    let isBare = text.first { !$0.isWhitespace } == "["
    do {
      let races =
        isBare
        ? try Race.array(fromJSONString: text) : try ListRacesResponse(jsonString: text).races
      return races.map { race in ScheduledRace.with { $0.race = race } }
    } catch let plainError {
      do {
        return isBare
          ? try ScheduledRace.array(fromJSONString: text)
          : try Swiftkart_Schedule_V1_ImportRacesRequest(jsonString: text).races
      } catch {
        // Which of the two was meant only matters for what is said.
        throw Malformed(description: "\(text.contains("\"race\"") ? error : plainError)")
      }
    }
  }

  /// Reads a single race, plain or as the schedule shows it.
  static func race(in text: String) throws(Malformed) -> Race {
    do {
      return try Race(jsonString: text)
    } catch let plainError {
      do {
        return try ScheduledRace(jsonString: text).race
      } catch {
        throw Malformed(description: "\(text.contains("\"race\"") ? error : plainError)")
      }
    }
  }
}
