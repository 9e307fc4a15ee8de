import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// What the contract claims of the binary form.
@Suite struct RaceSizeTests {
  @Test func aRaceIsAboutHalfTheSizeOfItsJSON() throws {
    let race = Race.with {
      $0.name = "Duck Pond Dash"
      $0.location = "Apple Park, Cupertino"
      $0.startTime = Google_Protobuf_Timestamp(seconds: 1_781_042_400)
      $0.laps = 6
      $0.championship = "Corporate Cup"
      $0.drivers = ["Monty", "Pepper", "Mycroft", "Pancakes", "Duke", "Kiko", "Sissi", "Bo"]
    }
    let binary: [UInt8] = try race.serializedBytes()
    let json: [UInt8] = try race.jsonUTF8Bytes()
    let share = Double(binary.count) / Double(json.count)
    #expect((0.4...0.6).contains(share), "\(binary.count) of \(json.count) bytes")
  }
}
