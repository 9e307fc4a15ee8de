import KartAPI
import Testing

@testable import KartCommand

struct FollowedRaceTests {
  private let start = ContinuousClock.now

  @Test func keepsTheNewestOfEachType() {
    var race = FollowedRace(name: "Finite Loops", wantsStandings: true)
    // The snapshot's standings may be older than its locations.
    let news = [
      race.apply(.locations(7, latitude: 1, sequence: 11), at: start),
      race.apply(.standings([7], sequence: 9), at: start),
      race.apply(.locations(7, latitude: 2, sequence: 12), at: start),
    ]
    #expect(news == [true, true, true])
    #expect(race.locations?.karts.first?.latitude == 2)
    #expect(race.standings?.entries.first?.kartNumber == 7)
    #expect(race.sequence == 12)
  }

  @Test func knowsARepeatByItsNumber() {
    var race = FollowedRace(name: "Finite Loops", wantsStandings: true)
    let news = [
      race.apply(.locations(7, latitude: 1, sequence: 11), at: start),
      race.apply(.locations(7, latitude: 2, sequence: 11), at: start),
      race.apply(.locations(7, latitude: 3, sequence: 10), at: start),
    ]
    #expect(news == [true, false, false])
    #expect(race.locations?.karts.first?.latitude == 1)
    #expect(race.sequence == 11)
  }

  @Test func countsWhatDidNotArrive() {
    var race = FollowedRace(name: "Finite Loops", wantsStandings: true)
    _ = race.apply(.standings([7], sequence: 5), at: start)
    _ = race.apply(.locations(7, latitude: 1, sequence: 11), at: start)
    #expect(race.missed == 0)
    _ = race.apply(.standings([7], sequence: 12), at: start)
    _ = race.apply(.locations(7, latitude: 1, sequence: 13), at: start)
    #expect(race.missed == 0)
    _ = race.apply(.locations(7, latitude: 1, sequence: 17), at: start)
    #expect(race.missed == 3)
  }

  @Test func cannotTellWhatItDidNotAskFor() {
    var race = FollowedRace(name: "Finite Loops", wantsStandings: false)
    _ = race.apply(.locations(7, latitude: 1, sequence: 11), at: start)
    _ = race.apply(.locations(7, latitude: 1, sequence: 17), at: start)
    #expect(race.missed == 0)
  }

  @Test func saysWhatItsStateIsWorth() {
    var race = FollowedRace(name: "Finite Loops", wantsStandings: true)
    #expect(race.freshness(at: start) == .connecting)
    race.connected()
    #expect(race.freshness(at: start + .seconds(60)) == .waiting)
    _ = race.apply(.locations(7, latitude: 1, sequence: 11), at: start)
    #expect(race.freshness(at: start + .milliseconds(9999)) == .live)
    #expect(race.freshness(at: start + .seconds(10)) == .stale(.seconds(10)))
    race.disconnected(reason: "UNAVAILABLE", retryAt: start + .seconds(12))
    #expect(
      race.freshness(at: start + .seconds(11))
        == .reconnecting(reason: "UNAVAILABLE", wait: .seconds(1)))
    race.connect()
    #expect(
      race.freshness(at: start + .seconds(12))
        == .reconnecting(reason: "UNAVAILABLE", wait: .zero))
    // Being connected again makes old data no newer.
    race.connected()
    #expect(race.freshness(at: start + .seconds(13)) == .stale(.seconds(13)))
    _ = race.apply(.locations(7, latitude: 1, sequence: 12), at: start + .seconds(13))
    #expect(race.freshness(at: start + .seconds(13)) == .live)
  }
}

extension FollowRaceResponse {
  static func locations(_ kart: Int32, latitude: Double, sequence: UInt64) -> Self {
    .with {
      $0.sequence = sequence
      $0.locations.karts = [
        .with {
          $0.number = kart
          $0.latitude = latitude
        }
      ]
    }
  }

  static func standings(_ karts: [Int32], sequence: UInt64) -> Self {
    .with {
      $0.sequence = sequence
      $0.standings.entries = karts.enumerated().map { index, kart in
        .with {
          $0.position = Int32(index + 1)
          $0.kartNumber = kart
        }
      }
    }
  }
}
