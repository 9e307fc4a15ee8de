import KartAPI
import SwiftProtobuf

/// Races as a table for people.
enum RaceTable {
  /// The text of a list of races.
  static func text(_ races: [Race]) -> String {
    guard !races.isEmpty else { return "There are no races to come.\n" }
    var table = TextTable(["START", "NAME", "LAPS", "LOCATION", "CHAMPIONSHIP", "DRIVERS"])
    for race in races { table.append(cells(race)) }
    return table.text
  }

  /// The text of a whole schedule, with what only organisers see.
  static func text(_ races: [Swiftkart_Schedule_V1_ScheduledRace]) -> String {
    guard !races.isEmpty else { return "There are no races.\n" }
    var table = TextTable(
      ["START", "NAME", "LAPS", "LOCATION", "CHAMPIONSHIP", "DRIVERS", "FINISHED"])
    for race in races {
      table.append(cells(race.race) + [race.hasFinishedAt ? moment(race.finishedAt) : ""])
    }
    return table.text
  }

  private static func cells(_ race: Race) -> [String] {
    [
      race.hasStartTime ? moment(race.startTime) : "", race.name,
      race.laps > 0 ? "\(race.laps)" : "", race.location, race.championship,
      race.drivers.joined(separator: ", "),
    ]
  }

  /// A time to the second, in UTC; empty where it is none.
  static func moment(_ timestamp: Google_Protobuf_Timestamp) -> String {
    // ProtoJSON's text, without its quotes: it has one calendar for all years.
    let second = Google_Protobuf_Timestamp(seconds: timestamp.seconds)
    return (try? second.jsonString()).map { String($0.dropFirst().dropLast()) } ?? ""
  }

  /// A time to the minute, in UTC, where there is little room: `2026-12-05 14:00Z`.
  static func minute(_ timestamp: Google_Protobuf_Timestamp) -> String {
    let moment = moment(timestamp)
    guard let end = moment.lastIndex(of: ":") else { return moment }
    return "\(moment[..<end].replacing("T", with: " "))Z"
  }
}
