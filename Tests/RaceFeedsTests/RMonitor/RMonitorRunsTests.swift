import RaceControl
import Testing

@testable import RaceFeeds

/// Runs that follow each other, clears and refreshes.
@Suite struct RMonitorRunsTests {
  static let race = Sample.feed(
    Sample.entries, #"$B,25,"Race""#, Sample.green,
    """
    $J,"1","00:00:00.000","00:00:02.051"
    $J,"2","00:00:00.000","00:00:02.207"
    $J,"1","00:00:37.054","00:00:39.105"
    $J,"2","00:00:37.000","00:00:39.207"
    """)

  static let clear = #"$I, "00:00:00", "0/0/0000""#

  private func starts(_ feed: RMonitorFeed) -> Int {
    feed.observed.count { if case .sessionStart = $0 { true } else { false } }
  }

  private func clears(_ feed: RMonitorFeed) -> Int {
    feed.observed.count { $0 == .sessionClear }
  }

  @Test func `the next run leaves the last one's order until it begins`() {
    let next = Sample.feed(Self.race, #"$B,95,"Next""#, Sample.heartbeat(0, "      "))
    #expect(RMonitorFeed(next).order == [[1, 1], [2, 1], [3, 0]])
    #expect(starts(RMonitorFeed(next)) == 1)
    for life in [
      Sample.green, #"$J,"3","00:00:00.000","00:00:02.000""#, #"$G,1,"3",,"00:00:02.000""#,
      #"$A,"4","4",1004,"Di","","",1"#,
    ] {
      let feed = RMonitorFeed(next, life)
      #expect(starts(feed) == 2)
      #expect(feed.order.allSatisfy { $0[1] == 0 })
      // The entry list stays.
      #expect(Set(feed.order.map { $0[0] }).isSuperset(of: [1, 2, 3]))
    }
  }

  @Test func `the same run told again changes nothing`() {
    let feed = RMonitorFeed(Self.race, #"$B,25,"Race""#, Sample.heartbeat(41))
    #expect(starts(feed) == 1)
    #expect(feed.order == [[1, 1], [2, 1], [3, 0]])
  }

  @Test(arguments: [
    Sample.heartbeat(41), Sample.feed(Sample.heartbeat(41), Sample.heartbeat(42), Sample.entries),
    #"$J,"1","00:00:40.000","00:01:19.105""#, #"$G,1,"1",1,"00:00:39.105""#, "",
  ])
  func `a lone clear is ignored`(next: String) {
    let feed = RMonitorFeed(Self.race, Self.clear, next)
    #expect(feed.report.loneClears == 1)
    #expect(clears(feed) == 0)
    #expect(starts(feed) == 1)
    #expect(feed.order.map { $0[0] } == [1, 2, 3])
    #expect(feed.order[0][1] >= 1)
  }

  @Test(arguments: ["", Sample.heartbeat(40)])
  func `a refresh that tells what is known changes nothing`(between: String) {
    let refresh = Sample.feed(
      Self.clear, between, Sample.entries, #"$B,25,"Race""#,
      """
      $G,1,"1",,"00:00:00.000"
      $G,2,"2",,"00:00:00.000"
      $G,3,"3",,"00:00:00.000"
      $G,1,"1",1,"00:00:39.105"
      $G,2,"2",1,"00:00:39.207"
      $G,3,"3",,"00:00:00.000"
      """, Sample.heartbeat(41))
    let feed = RMonitorFeed(Self.race, refresh)
    #expect(feed.observed == RMonitorFeed(Self.race).observed)
    #expect(feed.report.loneClears == 0)
  }

  @Test func `a refresh brings what was missed, without a blank table between`() {
    let feed = RMonitorFeed(
      Self.race, Self.clear, Sample.entries, #"$A,"4","4",1004,"Di","","",1"#,
      """
      $G,1,"1",,"00:00:00.000"
      $G,2,"2",2,"00:01:18.000"
      $G,1,"1",2,"00:01:19.000"
      """, Sample.heartbeat(41))
    #expect(feed.order == [[2, 2], [1, 2], [3, 0], [4, 0]])
    #expect(clears(feed) == 0)
    // Nobody was seen to lose a lap.
    var most: Int32 = 0
    for case .standings(let entries) in feed.events.map(\.content) {
      #expect(entries.map(\.lap).max() ?? 0 >= most)
      most = entries.map(\.lap).max() ?? 0
    }
  }

  @Test func `a heartbeat in the middle of a refresh does not end it`() {
    let feed = RMonitorFeed(
      Self.race, Self.clear, Sample.entries,
      """
      $G,1,"1",,"00:00:00.000"
      $G,2,"2",,"00:00:00.000"
      """, Sample.heartbeat(41),
      """
      $J,"3","00:00:00.000","00:00:41.000"
      $G,1,"1",1,"00:00:39.105"
      $G,2,"2",1,"00:00:39.207"
      """, Sample.heartbeat(42))
    #expect(feed.order == [[1, 1], [2, 1], [3, 0]])
    #expect(starts(feed) == 1)
    #expect(
      feed.observed.suffix(1) == [
        .crossing(.init(kartNumber: 3, lap: 0, totalTime: .seconds(41)))
      ])
  }

  @Test func `a refresh that takes laps away is a correction`() {
    let feed = RMonitorFeed(
      Self.race, Self.clear, Sample.entries,
      """
      $G,1,"1",,"00:00:02.051"
      $G,2,"2",1,"00:00:39.207"
      """, Sample.heartbeat(41), Sample.heartbeat(42))
    #expect(feed.order == [[2, 1], [1, 0], [3, 0]])
    #expect(clears(feed) == 0)
  }

  @Test func `a refresh without a kart clears the session, and the others keep their results`() {
    let feed = RMonitorFeed(
      Self.race, Self.clear,
      """
      $A,"1","1",1001,"Ada","","",1
      $A,"2","2",1002,"Bob","","",1
      $G,1,"1",1,"00:00:39.105"
      $G,2,"2",1,"00:00:39.207"
      """, Sample.heartbeat(41))
    #expect(clears(feed) == 1)
    #expect(starts(feed) == 1)
    #expect(feed.order == [[1, 1], [2, 1]])
    #expect(feed.state.flag == .green)
  }

  @Test func `a refresh of another run starts it`() {
    let feed = RMonitorFeed(
      Self.race, Self.clear,
      """
      $A,"8","8",1008,"Hal","","",1
      $A,"1","1",1001,"Ada","","",1
      $B,26,"Second race"
      $G,1,"8",,"00:00:00.000"
      $G,2,"1",,"00:00:00.000"
      """, Sample.heartbeat(0, "      "))
    #expect(starts(feed) == 2)
    #expect(feed.order == [[8, 0], [1, 0]])
  }

  @Test func `a refresh without any result restarts the run`() {
    let feed = RMonitorFeed(
      Self.race, Self.clear, Sample.entries,
      """
      $B,25,"Race"
      $G,1,"1",,"00:00:00.000"
      """, Sample.heartbeat(0, "      "), Sample.heartbeat(1, "      "))
    #expect(starts(feed) == 2)
    #expect(feed.order == [[1, 0], [2, 0], [3, 0]])
  }

  @Test func `a feed may end in the middle of a refresh`() {
    let feed = RMonitorFeed(Self.race, Self.clear, Sample.entries, #"$G,1,"2",2,"00:01:18.000""#)
    #expect(feed.order == [[2, 2], [1, 1], [3, 0]])
  }
}
