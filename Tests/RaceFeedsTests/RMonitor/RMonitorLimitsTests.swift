import RaceControl
import Testing

@testable import RaceFeeds

/// Whatever a feed says, reading goes on, and what race control is told is within its limits.
@Suite struct RMonitorLimitsTests {
  static let laps = [
    "-2147483648", "-1", "0", "9999", "10000", "10001", "2147483647", "2147483648",
    "-9223372036854775809",
  ]
  static let times = ["-999999:59:59", "00:00:00", "999999:59:59.999999999"]

  @Test(arguments: laps, times)
  func `no laps and no time are a trap`(laps: String, time: String) {
    for record in [
      #"$G,1,"1",\#(laps),"\#(time)""#, #"$COR,"1","1",\#(laps),"\#(time)","+00:00:00""#,
      #"$H,1,"1",\#(laps),"\#(time)""#, #"$J,"1","\#(time)","\#(time)""#,
      #"$RMHL,"1","\#(laps)","1","\#(time)","Green","\#(time)""#,
      #"$F,\#(laps),"\#(time)","\#(time)","\#(time)","Green ""#,
    ] {
      for kind in [SessionKind.race, .practice] {
        let feed = RMonitorFeed(
          Sample.entries, Sample.green, record,
          """
          $J,"1","00:01:00.000","00:01:10.000"
          $J,"1","999999:59:59.000","999999:59:59.999999999"
          $J,"2","00:01:00.000","00:01:20.000"
          """, Sample.heartbeat(1), Sample.heartbeat(2), as: kind)
        for case .crossing(let crossing) in feed.observed {
          #expect((0...RaceLimits.laps).contains(crossing.lap), "\(record)")
        }
        #expect(feed.state.standings.contains { $0.kartNumber == 2 && $0.lap == 1 }, "\(record)")
      }
    }
  }

  @Test(arguments: ["10001", "2147483647"])
  func `more laps than a race has are a problem`(laps: String) {
    let feed = RMonitorFeed(Sample.entries, Sample.green, #"$G,1,"1",\#(laps),"00:05:00.000""#)
    #expect(feed.report.counts == [.tooManyLaps: 1])
    #expect(feed.order == [[1, 0], [2, 0], [3, 0]])
  }

  @Test func `a crossing after the last possible lap is a problem`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green, #"$G,1,"1",10000,"00:05:00.000""#,
      #"$J,"1","00:01:00.000","00:06:00.000""#)
    #expect(feed.report.counts == [.tooManyLaps: 1])
    #expect(feed.order.first == [1, 10_000])
  }

  private static func entries(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { #"$A,"\#($0)","\#($0)",\#($0),"Driver","","",1"# }.joined(separator: "\n")
  }

  private static let crossings = """
    $J,"201","00:00:00.000","00:00:02.000"
    $J,"7","00:00:00.000","00:00:02.000"
    """

  @Test func `a competitor for whom there is no room is a problem`() {
    let feed = RMonitorFeed(Self.entries(1...201), Sample.green, Self.crossings)
    #expect(feed.report.counts == [.tooManyCompetitors: 2])
    #expect(feed.state.standings.count == RaceLimits.karts)
    #expect(feed.order.first == [7, 0])
    #expect(!feed.state.isOverfull)
  }

  @Test(arguments: ["", "$I,\"12:00:00\",\"1 jan 26\"\n" + entries(201...220)])
  func `and so it is in a refresh`(more: String) {
    let feed = RMonitorFeed(
      Self.entries(1...3), Sample.green, #"$I,"12:00:00","1 jan 26""#, Self.entries(1...201),
      #"$G,1,"202",1,"00:01:00.000""#, Sample.heartbeat(1), Sample.heartbeat(2), Self.crossings,
      more, Sample.heartbeat(3), Sample.heartbeat(4))
    #expect(feed.report.counts[.tooManyCompetitors] ?? 0 >= 2)
    #expect(!feed.state.isOverfull)
    #expect(feed.state.standings.count <= RaceLimits.karts)
    #expect(feed.state.standings.contains { $0.kartNumber == 7 } == more.isEmpty)
  }

  @Test(arguments: [
    // A number that changes, and a run that does.
    (1...300).map { #"$A,"7","\#(1000 + $0)",7,"Driver","","",1"# },
    (1...300).flatMap {
      [#"$B,\#($0),"Run""#, #"$J,"7","00:01:00.000","00:0\#($0 % 9 + 1):00.000""#]
    },
  ])
  func `a feed that changes its mind makes no endless batch`(lines: [String]) throws {
    let text = Sample.feed(
      #"$B,0,"Run""#, Self.entries(1...200), Sample.green, Self.crossings,
      lines.joined(separator: "\n"), Sample.heartbeat(1, "Yellow"))
    var parser = RMonitorParser()
    var session = RMonitorSession(session: .init(kind: .race))
    for line in parser.read(Array(text.utf8)) {
      session.take(line, receivedAt: UTCInstant(seconds: 1))
    }
    let taken = session.takeBatch()
    let batch = try #require(taken)
    #expect(batch.observations.count < 1_000)
    var state = RaceState()
    _ = state.apply(batch)
    // As it is line by line.
    let feed = RMonitorFeed(session: .init(kind: .race), bytes: Array(text.utf8))
    #expect(state.standings == feed.state.standings)
    #expect(state.flag == feed.state.flag)
  }
}
