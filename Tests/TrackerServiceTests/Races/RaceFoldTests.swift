import KartAPI
import RaceControl
import RaceRelay
import SwiftProtobuf
import Testing

@testable import TrackerService

@Suite struct RaceFoldTests {
  typealias Request = Swiftkart_Telemetry_V1_RecordRequest

  private func logged(_ requests: [Request], forgotten: [Int64] = []) throws -> [LoggedBatch] {
    try requests.enumerated().map { index, request in
      LoggedBatch(
        position: Int64(index + 1), race: RaceLog.race, record: try request.serializedBytes(),
        forgotten: forgotten.isEmpty ? 0 : forgotten[index])
    }
  }

  /// So many karts enter, each by the longest number, and are located.
  private func field(of count: Int) -> Request {
    .with {
      for index in 0..<count {
        let kart = Int32.max - Int32(index)
        $0.observations.append(
          .with {
            $0.observedAt.seconds = 253_402_300_799
            $0.observedAt.nanos = 999_999_999
            $0.location.kartNumber = kart
            $0.location.latitude = 50
            $0.location.longitude = 8
          })
        $0.observations.append(
          .with {
            $0.observedAt.seconds = 1
            $0.crossing.kartNumber = kart
            $0.crossing.lap = RaceLimits.laps
            $0.crossing.totalTime.seconds = 315_576_000_000 - Int64(index)
          })
      }
    }
  }

  @Test func `an event of the greatest race is small`() throws {
    var fold = RaceFold()
    var events: [RelayedEvent] = []
    for batch in try logged([field(of: 5_000)]) { events += try fold.apply(batch) }
    #expect(fold.isOverfull)
    #expect(events.map(\.type) == [.kartLocations, .standings])
    for event in events { #expect(event.response.count < 16 << 10) }
    let standings = try FollowRaceResponse(serializedBytes: events[1].response).standings
    #expect(standings.entries.count == RaceLimits.karts)
  }

  @Test func `a loop is not held for long, however many batches there are`() throws {
    let requests = [field(of: 199)] + (1...300).map { .location(kart: 7, tick: $0) }
    let batches = try logged(requests)
    var rest = batches[...]
    var fold = RaceFold()
    var events: [RelayedEvent] = []
    while !rest.isEmpty {
      let made = try fold.takeSome(of: &rest)
      #expect(!made.isEmpty)
      #expect(made.reduce(0) { $0 + $1.response.count } < 256 << 10)
      events += made
    }
    var whole = RaceFold()
    #expect(try batches.flatMap { try whole.apply($0) } == events)
    #expect(events.last?.sequence == whole.head)
  }

  @Test func `batches of nothing are not held on to either`() throws {
    var rest = try logged(Array(repeating: Request(), count: 10_000))[...]
    var fold = RaceFold()
    #expect(try fold.takeSome(of: &rest).isEmpty)
    #expect((5_000..<10_000).contains(rest.count))
  }

  @Test func `what comes before a gap is not lost with it`() throws {
    var rest = try logged(
      [.start(), .location(kart: 1, tick: 1), .start(), .start()], forgotten: [0, 0, 5, 5])[...]
    var fold = RaceFold()
    #expect(try fold.takeSome(of: &rest).map(\.sequence) == [1, 2])
    #expect(rest.count == 2)
    #expect(throws: RaceFold.Gap.self) { try fold.takeSome(of: &rest) }
    #expect(rest.count == 2)
  }

  @Test func `a log from before the limits counts but for what lies beyond them`() throws {
    var odd = Request.crossing(kart: 1, lap: -1, at: 1)
    for request in [
      Request.crossing(kart: -1, lap: 1, at: 40), .crossing(kart: 2, lap: .max, at: 41),
      .start(laps: .max), .crossing(kart: 3, lap: 1, at: 42),
    ] {
      odd.observations += request.observations
    }
    var fold = RaceFold()
    let events = try logged([odd]).flatMap { try fold.apply($0) }
    let standings = try events.map {
      try FollowRaceResponse(serializedBytes: $0.response).standings
    }
    #expect(standings.map { $0.entries.map(\.kartNumber) } == [[3]])
  }
}
