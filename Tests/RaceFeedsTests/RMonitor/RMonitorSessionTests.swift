import RaceControl
import Testing

@testable import RaceFeeds

/// What a feed means for race control.
@Suite struct RMonitorSessionTests {
  @Test func `a race begins with its entries`() {
    let feed = RMonitorFeed(Sample.entries, Sample.green, laps: 6)
    #expect(
      feed.observed == [
        .sessionStart(.init(kind: .race, laps: 6)),
        .competitor(.init(kartNumber: 1, name: "Ada", registration: "1")),
        .competitor(.init(kartNumber: 2, name: "Bob", registration: "2")),
        .competitor(.init(kartNumber: 3, name: "Cy", registration: "3")),
        .flag(.init(flag: .green)),
      ])
    #expect(feed.batches.first?.observations.first?.observedAt == UTCInstant(seconds: 1))
  }

  @Test func `crossings count laps from the start crossing on`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:00.000","00:00:02.051"
      $J,"2","00:00:00.000","00:00:02.207"
      $J,"2","00:00:36.898","00:00:39.105"
      $J,"1","00:00:37.054","00:00:39.105"
      $J,"1","00:00:40.000","00:01:19.105"
      """)
    #expect(feed.order == [[1, 2], [2, 1], [3, 0]])
    #expect(
      feed.observed.suffix(1) == [
        .crossing(.init(kartNumber: 1, lap: 2, totalTime: .milliseconds(79_105)))
      ])
  }

  @Test func `a confirmation of what is known is nothing`() {
    let text = Sample.feed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:00.000","00:00:02.051"
      $J,"1","00:00:37.054","00:00:39.105"
      """)
    let confirmed = Sample.feed(
      text,
      """
      $G,1,"1",1,"00:00:39.105"
      $G,1,"2",,"00:00:00.000"
      $H,1,"1",1,"00:00:37.054"
      """)
    #expect(RMonitorFeed(confirmed).observed == RMonitorFeed(text).observed)
  }

  @Test(arguments: [
    ("the same crossing again", #"$J,"1","00:00:37.054","00:00:39.105""#),
    ("a double loop", #"$J,"1","00:00:00.020","00:00:39.125""#),
    ("a double loop the other way round", #"$J,"1","00:00:37.019","00:00:39.070""#),
    ("a lap time that was edited", #"$J,"1","00:01:37.054","00:00:39.105""#),
    ("an earlier crossing that was edited", #"$J,"1","00:00:01.100","00:00:02.051""#),
    ("a crossing without a time", #"$J,"1","00:00:00.000","00:00:00.000""#),
    ("two karts on one position", #"$G,1,"2",,"00:00:00.000""#),
  ])
  func `tells nothing of`(quirk: String, line: String) {
    let text = Sample.feed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:00.000","00:00:02.051"
      $J,"1","00:00:37.054","00:00:39.105"
      $G,1,"1",1,"00:00:39.105"
      """)
    #expect(RMonitorFeed(text, line).observed == RMonitorFeed(text).observed, "\(quirk)")
  }

  @Test func `a position that comes before its crossing is the crossing`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.054","00:00:39.105"
      $G,1,"1",2,"00:01:19.105"
      $J,"1","00:00:40.000","00:01:19.105"
      """)
    #expect(feed.order.first == [1, 2])
    #expect(feed.observed.count == 7)
  }

  @Test func `positions alone make a race, for who joins late or misses crossings`() {
    let feed = RMonitorFeed(
      Sample.entries,
      """
      $G,2,"1",17,"00:44:08.332"
      $G,1,"2",17,"00:44:06.246"
      $G,2,"3",16,"00:40:09.714"
      $G,1,"3",19,"00:46:00.000"
      """)
    #expect(feed.order == [[3, 19], [2, 17], [1, 17]])
  }

  @Test func `a crossing that the timing system revised is corrected`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.054","00:00:39.105"
      $G,1,"1",1,"00:00:39.105"
      $J,"1","00:00:37.019","00:00:39.070"
      $G,1,"1",1,"00:00:39.070"
      """)
    #expect(
      feed.observed.suffix(1) == [
        .correction(.init(kartNumber: 1, laps: 1, totalTime: .milliseconds(39_070)))
      ])
  }

  @Test func `a position that is taken back at once is nothing`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.054","00:00:39.105"
      $J,"1","00:00:40.000","00:01:19.105"
      $G,2,"1",1,"00:00:39.105"
      $G,1,"1",2,"00:01:19.105"
      """, Sample.heartbeat(20), Sample.heartbeat(21), Sample.heartbeat(22))
    #expect(feed.order.first == [1, 2])
    #expect(!feed.observed.contains { if case .correction = $0 { true } else { false } })
  }

  @Test func `a position that stands takes laps away`() {
    let text = Sample.feed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.054","00:00:39.105"
      $J,"1","00:00:40.000","00:01:19.105"
      $G,1,"1",1,"00:00:39.105"
      """)
    let feed = RMonitorFeed(text, Sample.heartbeat(20), Sample.heartbeat(21))
    #expect(feed.order.first == [1, 1])
    // And laps count on from there.
    let next = RMonitorFeed(
      text, Sample.heartbeat(20), Sample.heartbeat(21),
      #"$J,"1","00:00:45.000","00:01:24.105""#)
    #expect(next.order.first == [1, 2])
  }

  @Test func `a correction counts at once`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.054","00:00:39.105"
      $J,"1","00:00:40.000","00:01:19.105"
      $COR,"1","1",1,"00:00:41.105","+00:00:02.000"
      """)
    #expect(feed.order.first == [1, 1])
    #expect(
      feed.observed.suffix(1) == [
        .correction(.init(kartNumber: 1, laps: 1, totalTime: .milliseconds(41_105)))
      ])
  }

  @Test func `a relay's lap history fills in what was missed and repeats nothing`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $RMHL,"1","1","1","00:00:37.054","Green","00:00:39.105"
      $RMHL,"1","2","1","00:00:40.000","Green","00:01:19.105"
      $RMHL,"1","1","1","00:00:37.054","Green","00:00:39.105"
      """)
    #expect(feed.order.first == [1, 2])
    #expect(feed.observed.count == 7)
  }

  @Test func `results may come before the entries`() {
    let feed = RMonitorFeed(
      Sample.green,
      """
      $G,1,"1",3,"00:02:00.000"
      $J,"2","00:00:00.000","00:02:01.000"
      """, Sample.entries)
    #expect(feed.order == [[1, 3], [2, 0], [3, 0]])
    #expect(feed.report.problemCount == 0)
    #expect(feed.observed.count == 7)
  }

  @Test func `who is not entered is shown under the registration`() {
    let text = Sample.feed(
      Sample.green, #"$J,"2","00:00:30.000","00:00:31.000""#,
      #"$J,"20","00:00:30.000","00:00:32.000""#, Sample.heartbeat(33))
    // Nobody is: the feed was joined late.
    let late = RMonitorFeed(text)
    #expect(late.order == [[2, 1], [20, 1]])
    #expect(late.report.problemCount == 0)
    // Others are.
    let feed = RMonitorFeed(Sample.entries, text)
    #expect(feed.order == [[2, 1], [20, 1], [1, 0], [3, 0]])
    #expect(feed.report.counts == [.unknownRegistration: 1])
    // The entry comes after all, with the same number, with another, and with that of another.
    let entered = RMonitorFeed(text, Sample.entries, #"$A,"20","20",1020,"Tia","","",1"#)
    #expect(entered.order == [[2, 1], [20, 1], [1, 0], [3, 0]])
    #expect(entered.observed.count { $0 == .sessionClear } == 0)
    let renumbered = RMonitorFeed(text, Sample.entries, #"$A,"20","8",1020,"Tia","","",1"#)
    #expect(renumbered.order == [[2, 1], [8, 1], [1, 0], [3, 0]])
    let taken = RMonitorFeed(
      text, #"$A,"5","20",1005,"Una","","",1"#, #"$J,"5","00:00:30.000","00:00:33.000""#)
    #expect(taken.order.map { $0[0] }.contains(20))
    #expect(taken.state.standings.last?.kartNumber == 20)
    #expect(taken.state.standings.count == 3)
  }

  @Test func `flags are told when they change`() {
    let feed = RMonitorFeed(
      Sample.entries,
      Sample.lines(
        [
          "      ", "Green ", "Green ", "Yellow", "Red   ", "      ", "Green ", "Purple", "Finish",
        ]
        .enumerated().map { Sample.heartbeat($0.offset, $0.element) }))
    let flags = feed.observed.compactMap { kind in
      if case .flag(let change) = kind { change.flag } else { Flag?.none }
    }
    #expect(flags == [.green, .yellow, .red, .green, .finish])
    #expect(feed.report.counts == [.unknownFlag: 1])
  }

  @Test func `the leader's crossing just before the finish flag took it`() {
    let text = Sample.feed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.000","00:00:39.000"
      $J,"2","00:00:38.000","00:00:40.000"
      """, Sample.heartbeat(50), #"$J,"1","00:00:40.000","00:01:19.000""#)
    let feed = RMonitorFeed(
      text, Sample.heartbeat(51, "Finish"),
      """
      $J,"2","00:00:41.000","00:01:21.000"
      $J,"1","00:00:50.000","00:02:09.000"
      $J,"2","00:00:50.000","00:02:11.000"
      """)
    #expect(feed.order == [[1, 2], [2, 2], [3, 0]])
    // Shown well after the crossing, the flag waits for the next.
    let late = RMonitorFeed(
      text, Sample.heartbeat(51), Sample.heartbeat(52, "Finish"),
      """
      $J,"1","00:00:50.000","00:02:09.000"
      """)
    #expect(late.order.first == [1, 3])
  }

  @Test func `a finish flag before the distance waits for the leader to reach it`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green, #"$J,"1","00:00:37.000","00:00:39.000""#,
      Sample.heartbeat(50), #"$J,"1","00:00:40.000","00:01:19.000""#,
      Sample.heartbeat(51, "Finish"), #"$J,"1","00:00:40.000","00:01:59.000""#,
      laps: 3)
    #expect(feed.order.first == [1, 3])
  }

  @Test func `a qualifying goes by the best laps that the feed tells`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $H,1,"1",0,"00:00:00.000"
      $H,1,"1",2,"00:00:40.000"
      $H,1,"2",3,"00:00:39.500"
      $H,1,"2",3,"00:00:39.500"
      """, as: .qualifying)
    #expect(feed.state.standings.map(\.kartNumber) == [2, 1, 3])
    #expect(feed.state.standings.map(\.gapToLeader) == [nil, .milliseconds(500), nil])
    #expect(feed.observed.count == 7)
  }

  @Test func `kart numbers need not be numbers`() {
    let feed = RMonitorFeed(
      """
      $A,"r1","007",1001,"Ada","","",1
      $A,"r2","4A",1002,"Bob","","",1
      $A,"r3","7",1003,"Cy","","",1
      $A,"r4","",1004,"Di","","",1
      """)
    let numbers = feed.state.standings.map(\.kartNumber)
    #expect(numbers.prefix(3) == [1_001_414, 1_000_196, 7])
    #expect(Set(numbers).count == 4)
    #expect(feed.report.problemCount == 0)
  }

  @Test func `a number that is entered twice is reported and changed`() {
    let feed = RMonitorFeed(
      """
      $A,"r1","7",1001,"Ada","","",1
      $A,"r2","7",1002,"Bob","","",1
      """)
    #expect(Set(feed.state.standings.map(\.kartNumber)).count == 2)
    #expect(feed.report.counts == [.duplicateNumber: 1])
  }

  @Test func `of two karts under one registration the first counts`() {
    let feed = RMonitorFeed(
      Sample.entries, #"$A,"1","9",1009,"Eve","","",1"#, Sample.green)
    #expect(feed.state.standings.map(\.kartNumber) == [1, 2, 3])
    #expect(feed.report.counts == [.duplicateRegistration: 1])
  }

  @Test func `a kart that gets another number keeps its results`() {
    let feed = RMonitorFeed(
      Sample.entries, Sample.green,
      """
      $J,"1","00:00:37.054","00:00:39.105"
      $A,"1","21",1001,"Ada","","",1
      """)
    #expect(feed.order == [[21, 1], [2, 0], [3, 0]])
    #expect(feed.state.flag == .green)
  }

  @Test func `another name is told, the same is not`() {
    let text = Sample.feed(Sample.entries, #"$COMP,"1","1",1,"Ada","Lovelace","","""#)
    let feed = RMonitorFeed(text, text)
    #expect(
      feed.observed.suffix(2) == [
        // The entry list was told again, with the short name, and then with the long one.
        .competitor(.init(kartNumber: 1, name: "Ada", registration: "1")),
        .competitor(.init(kartNumber: 1, name: "Ada Lovelace", registration: "1")),
      ])
  }
}
