import KartAPI
import RaceControl
import RaceRelay
import SwiftProtobuf

extension RelayedEvent {
  /// Encodes an event, the same bytes on every replica.
  init?(_ event: RaceEvent) {
    var response = FollowRaceResponse()
    response.sequence = event.number
    let type: RaceEventType
    switch event.content {
    case .locations(let karts):
      type = .kartLocations
      response.locations.karts = karts.map(KartLocations.Kart.init)
    case .standings(let entries):
      type = .standings
      response.standings.entries = entries.map(Standings.Entry.init)
    }
    // A message without required fields always has an encoding.
    guard let bytes: [UInt8] = try? response.serializedBytes() else { return nil }
    self.init(sequence: event.number, type: type, response: bytes)
  }
}

extension KartLocations.Kart {
  fileprivate init(_ location: KartLocation) {
    self.init()
    number = location.kartNumber
    latitude = location.coordinate.latitude
    longitude = location.coordinate.longitude
    recordedAt.seconds = location.recordedAt.seconds
    recordedAt.nanos = location.recordedAt.nanoseconds
  }
}

extension Standings.Entry {
  fileprivate init(_ entry: StandingsEntry) {
    self.init()
    kartNumber = entry.kartNumber
    position = entry.position
    lap = entry.lap
    if let gap = entry.gapToLeader {
      let (seconds, attoseconds) = gap.components
      gapToLeader.seconds = seconds
      gapToLeader.nanos = Int32(attoseconds / 1_000_000_000)
    }
  }
}
