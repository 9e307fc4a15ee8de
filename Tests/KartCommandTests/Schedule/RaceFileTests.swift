import KartAPI
import Testing

@testable import KartCommand

struct RaceFileTests {
  private static let dash = #"{"name":"Duck Pond Dash","laps":6,"drivers":["Monty","Bo"]}"#
  private static let loops = #"{"name":"Finite Loops","startTime":"2026-06-08T17:00:00Z"}"#

  @Test(arguments: [
    "{\"races\":[{\"race\":\(dash)},{\"race\":\(loops)}]}",
    "{\"races\":[\(dash),\(loops)]}",
    "[\(dash),\(loops)]",
    "\n [{\"race\":\(dash)},\n{\"race\":\(loops)}]\n",
  ])
  func readsEachShape(text: String) throws {
    let races = try RaceFile.races(in: text)
    #expect(races.map(\.race.name) == ["Duck Pond Dash", "Finite Loops"])
    #expect(races[0].race.drivers == ["Monty", "Bo"])
  }

  @Test(arguments: ["{}", "[]", "{\"races\":[]}"])
  func readsNoRaces(text: String) throws {
    #expect(try RaceFile.races(in: text).isEmpty)
  }

  @Test(arguments: [dash, "{\"race\":\(dash)}", "\n{ \"race\": \(dash) }"])
  func readsASingleRace(text: String) throws {
    #expect(try RaceFile.races(in: text).map(\.race.name) == ["Duck Pond Dash"])
  }

  @Test func aSingleRaceKeepsThatItIsFinished() throws {
    let text = #"{"race":{"name":"x"},"finishedAt":"2026-06-08T18:00:00Z"}"#
    #expect(try RaceFile.races(in: text).map(\.hasFinishedAt) == [true])
  }

  @Test(arguments: [
    ("nonsense", "neither a list of races"), ("", "neither a list of races"),
    (#"{"name":"x","laps":"many"}"#, "laps: expected a number"),
    (#"[{"name":"x","laps":"many"}]"#, "laps: expected a number"),
  ])
  func saysWhatIsWanted(text: String, message: String) throws {
    let error = try #require(throws: RaceFile.Malformed.self) { try RaceFile.races(in: text) }
    #expect(error.description.contains(message), "\(error)")
  }

  @Test(arguments: [
    "", "nonsense", "{\"race\":1}", "[{\"name\":\"x\",\"lap\":6}]", "[1]", "{\"races\":[",
    "[{\"race\":{\"name\":\"x\"},\"finished\":true}]",
  ])
  func refusesWhatIsNone(text: String) {
    #expect(throws: RaceFile.Malformed.self) { try RaceFile.races(in: text) }
  }

  @Test(arguments: [
    ("[{\"name\":\"x\",\"lap\":6}]", "lap"),
    ("[{\"race\":{\"name\":\"x\"},\"finished\":true}]", "finished"),
  ])
  func namesTheBadField(text: String, field: String) throws {
    let error = try #require(throws: RaceFile.Malformed.self) { try RaceFile.races(in: text) }
    #expect(error.description.contains(field))
  }

  @Test(arguments: [
    ("[{\"name\":\"x\",\"lap\":6}]", 13), ("{\"races\":[{\"lap\":6}]}", 11),
    ("[{\"race\":{\"name\":5}}]", 17),
  ])
  func pointsAtTheFault(text: String, offset: Int) throws {
    let error = try #require(throws: RaceFile.Malformed.self) { try RaceFile.races(in: text) }
    #expect(error.description.contains("at byte \(offset)"), "\(error)")
  }

  @Test func writesTheSameThatItReads() throws {
    let text = """
      {"races":[
      {"race":{"name":"Duck Pond Dash","location":"Apple Park, Cupertino","laps":6}},
      {"race":{"name":"Finite \\"Loops\\"","drivers":["Monty"]},"finishedAt":"2026-06-08T18:00:00Z"}
      ]}

      """
    #expect(try file(RaceFile.races(in: text)) == text)
    #expect(try file([]) == "{\"races\":[\n]}\n")
    #expect(try RaceFile.races(in: file([])).isEmpty)
  }

  private func file(_ races: [RaceFile.ScheduledRace]) throws -> String {
    var text = RaceFile.opening
    for (index, race) in races.enumerated() {
      text += try RaceFile.line(race, isFirst: index == 0)
    }
    return text + RaceFile.closing
  }

  @Test(arguments: [dash, "{\"race\":\(dash)}"])
  func readsOneRace(text: String) throws {
    #expect(try RaceFile.race(in: text).name == "Duck Pond Dash")
  }

  @Test(arguments: ["", "[]", "{\"nam\":\"x\"}"])
  func refusesWhatIsNoRace(text: String) {
    #expect(throws: RaceFile.Malformed.self) { try RaceFile.race(in: text) }
  }
}
