import RaceControl
import Testing

@testable import RaceFeeds

/// Every kind of record, and every quirk in how they come.
@Suite struct RMonitorParserTests {
  private func lines(_ text: String) -> [RMonitorLine] {
    lines(Array(text.utf8))
  }

  private func lines(_ bytes: [UInt8]) -> [RMonitorLine] {
    var parser = RMonitorParser()
    return parser.read(bytes) + parser.finish()
  }

  private func records(_ text: String) -> [RMonitorRecord] {
    lines(text).compactMap { line in
      if case .record(let record) = line.content { record } else { nil }
    }
  }

  private func problems(_ text: String) -> [RMonitorProblem] {
    lines(text).compactMap { line in
      if case .problem(let problem) = line.content { problem } else { nil }
    }
  }

  @Test(
    arguments: [
      (
        #"$F,9999,"00:04:23","23:21:00","00:00:36","Green ""#,
        .heartbeat(.init(timeOfDay: .seconds(84_060), raceTime: .seconds(36), flag: "green"))
      ),
      (
        #"$F,0,"00:00:00","23:20:15","00:00:00","      ""#,
        .heartbeat(.init(timeOfDay: .seconds(84_015), raceTime: .zero, flag: ""))
      ),
      (
        #"$A,"1B","12",52474,"John","Johnson","USA",5"#,
        .competitor(
          .init(registration: "1B", number: "12", transponder: "52474", name: "John Johnson"))
      ),
      (
        #"$COMP,"1B","12",5,"John","Johnson","USA","CAMEL""#,
        .competitor(.init(registration: "1B", number: "12", transponder: "", name: "John Johnson"))
      ),
      (#"$B,5,"Friday free practice""#, .run(number: "5", description: "Friday free practice")),
      (#"$C,5,"Formula 300""#, .category(number: "5", description: "Formula 300")),
      (#"$E,"TRACKNAME","Indianapolis""#, .setting(name: "TRACKNAME", value: "Indianapolis")),
      (
        #"$G,3,"1B",14,"01:12:47.872""#,
        .racePosition(.init(registration: "1B", laps: 14, totalTime: .milliseconds(4_367_872)))
      ),
      (
        #"$H,2,"1B",3,"00:02:17.872""#,
        .bestLap(.init(registration: "1B", lap: 3, lapTime: .milliseconds(137_872)))
      ),
      (#"$I,"16:36:08.000","12 jan 01""#, .clear),
      (
        #"$J,"1B","00:02:03.826","01:42:17.672""#,
        .crossing(
          .init(
            registration: "1B", lapTime: .milliseconds(123_826),
            totalTime: .milliseconds(6_137_672)))
      ),
      (
        #"$COR,"1B","12",2,"00:00:35.272","+00:00:00.012""#,
        .correction(.init(registration: "1B", laps: 2, totalTime: .milliseconds(35_272)))
      ),
      (#"$RMS,"race""#, .relayNote),
      (#"$RMLT,"1B",1364828467000"#, .relayNote),
      (#"$RMCA,1364828467000"#, .relayNote),
      (
        #"$RMHL,"1B","2","1","00:00:41.5","Green","00:01:22.25""#,
        .lapHistory(.init(registration: "1B", laps: 2, totalTime: .milliseconds(82_250)))
      ),
    ] as [(String, RMonitorRecord)])
  func `reads every kind of record`(text: String, record: RMonitorRecord) {
    #expect(records(text + "\r\n") == [record])
    #expect(problems(text + "\r\n").isEmpty)
  }

  @Test(
    arguments: [
      ("laps are empty before lap 1", #"$G,1,"1",,"00:00:02.051""#, 0, .milliseconds(2051)),
      ("laps can be negative", #"$G,58,"168",-2,"07:41:27.174""#, 0, .milliseconds(27_687_174)),
      ("hours of 24 and more", #"$G,1,"1",600,"25:01:02.003""#, 600, .milliseconds(90_062_003)),
      ("many hours", #"$G,1,"1",600,"100:00:00""#, 600, .seconds(360_000)),
      ("numbers in quotes", #"$G,"1","1","5","00:01:00""#, 5, .seconds(60)),
      ("spaces around fields", #"$G, 1 , "1" , 5 , "00:01:00" "#, 5, .seconds(60)),
      ("more fields than there are", #"$G,1,"1",5,"00:01:00",7,"new""#, 5, .seconds(60)),
      ("no position", #"$G,,"1",5,"00:01:00""#, 5, .seconds(60)),
      ("one decimal", #"$G,1,"1",5,"00:01:00.5""#, 5, .milliseconds(60_500)),
    ] as [(String, String, Int32, Duration)])
  func `reads results as they come`(
    quirk: String, text: String, laps: Int32, totalTime: Duration
  ) {
    let record = records(text + "\n").first
    guard case .racePosition(let result) = record else {
      Issue.record("\(quirk): \(String(describing: record))")
      return
    }
    #expect(result.laps == laps, "\(quirk)")
    #expect(result.totalTime == totalTime, "\(quirk)")
  }

  @Test(arguments: [
    ("00:00:00", 0), ("00:59:59", 3_599_000), ("00:00:-47", -47_000), ("-00:00:05", -5000),
    ("24:00:00", 86_400_000), ("00:00:01.999", 1999),
  ])
  func `reads the race time of a heartbeat before the start too`(text: String, milliseconds: Int) {
    let records = records(#"$F,9999,"08:00:47","08:59:12","\#(text)","      ""# + "\n")
    #expect(
      records == [
        .heartbeat(
          .init(timeOfDay: .seconds(32_352), raceTime: .milliseconds(milliseconds), flag: ""))
      ])
  }

  @Test(arguments: [
    ("a comma", #"$A,"1","1",1,"Doe, Jane","","",1"#, "Doe, Jane"),
    ("quotes", #"$A,"1","1",1,"Jane "Jay" Doe","","",1"#, #"Jane "Jay" Doe"#),
    ("a team where a first name belongs", #"$A,"1","1",1,"Team 1","","",1"#, "Team 1"),
    ("a first and a last name", #"$A,"1","1",1," Jane "," Doe ","",1"#, "Jane Doe"),
    ("no name", #"$A,"1","1",1,"","","",1"#, ""),
    ("UTF-8", #"$A,"1","1",1,"Jürgen","","",1"#, "Jürgen"),
  ])
  func `reads names as they come`(quirk: String, text: String, name: String) {
    guard case .competitor(let competitor)? = records(text + "\n").first else {
      Issue.record("\(quirk)")
      return
    }
    #expect(competitor.name == name, "\(quirk)")
  }

  @Test func `reads Latin-1 where it is not UTF-8`() {
    let text = Array(#"$A,"1","1",1,"J"#.utf8) + [0xfc] + Array(#"rgen","","",1"#.utf8)
    guard case .record(.competitor(let competitor))? = lines(text).first?.content else {
      Issue.record("no competitor")
      return
    }
    #expect(competitor.name == "Jürgen")
  }

  @Test(arguments: ["", "16777216123456789012345678901234567890", "A-1", "0"])
  func `takes any transponder`(transponder: String) {
    guard
      case .competitor(let competitor)? = records(#"$A,"1","1",\#(transponder),"Ada","","",1"#)
        .first
    else {
      Issue.record("no competitor")
      return
    }
    #expect(competitor.transponder == transponder)
  }

  @Test func `takes a clear with spaces and without a date`() {
    #expect(records("$I, \"00:00:00\", \"0/0/0000\"\r\n") == [.clear])
    #expect(records("$I\n") == [.clear])
  }

  @Test func `takes lines however they end, and a byte order mark`() {
    let text = "\u{feff}$B,1,\"a\"\r\n$B,2,\"b\"\n$B,3,\"c\"\r\r\n\r\n\n$B,4,\"d\""
    #expect(
      lines(text).map(\.number) == [1, 2, 3, 6])
    #expect(
      records(text) == [
        .run(number: "1", description: "a"), .run(number: "2", description: "b"),
        .run(number: "3", description: "c"), .run(number: "4", description: "d"),
      ])
  }

  @Test func `takes lines of more than 256 bytes, up to a bound`() {
    let long = String(repeating: "x", count: 1000)
    #expect(records("$B,1,\"\(long)\"\n") == [.run(number: "1", description: long)])
    let tooLong = String(repeating: "x", count: RMonitorParser.longestLine)
    let problems = problems("$B,1,\"\(tooLong)\"\n$B,2,\"b\"\n")
    #expect(problems.map(\.reason) == [.lineTooLong])
    #expect(problems.map(\.line) == [1])
    #expect(records("$B,1,\"\(tooLong)\"\n$B,2,\"b\"\n") == [.run(number: "2", description: "b")])
  }

  @Test(
    arguments: [
      ("Change to 60 seconds later", .notARecord),
      (#"$XYZ,1,2"#, .unknownCommand),
      ("$", .unknownCommand),
      ("$G,1,\"1\"", .tooFewFields),
      ("$F", .tooFewFields),
      ("$COR,\"1\",\"1\"", .tooFewFields),
      ("$J,\"1\",\"00:00:01", .unterminatedQuote),
      (#"$G,1,"1",x,"00:00:01""#, .invalidNumber),
      (#"$G,1,"1",99999999999,"00:00:01""#, .invalidNumber),
      (#"$J,"1","00:00:01","1:2""#, .invalidTime),
      (#"$J,"1","00:00:01","00:99:00""#, .invalidTime),
      (#"$J,"1","00:00:01","00:00:00.""#, .invalidTime),
      (#"$J,"1","00:00:01","99999999999:00:00""#, .invalidTime),
      (#"$F,1,"00:00:00","now","00:00:00","Green ""#, .invalidTime),
      (#"$J,"","00:00:01","00:00:02""#, .missingRegistration),
      (#"$A,"","1",1,"Ada","","",1"#, .missingRegistration),
      ("##2025-13-01 00:00:00.000", .invalidTime),
      ("##yesterday", .invalidTime),
    ] as [(String, RMonitorProblem.Reason)])
  func `reports what it cannot read, and reads on`(text: String, reason: RMonitorProblem.Reason) {
    let feed = "$B,1,\"a\"\r\n\(text)\r\n$B,2,\"b\"\r\n"
    #expect(problems(feed).map(\.reason) == [reason])
    #expect(problems(feed).map(\.line) == [2])
    #expect(
      records(feed) == [.run(number: "1", description: "a"), .run(number: "2", description: "b")])
  }

  @Test(
    arguments: [
      ("##1970-01-01 00:00:00.000", 0, 0),
      ("##2025-03-01 22:43:02.295", 1_740_868_982, 295_000_000),
      ("##2024-02-29 23:59:59.999", 1_709_251_199, 999_000_000),
      ("##2000-12-31 00:00:00", 978_220_800, 0),
    ] as [(String, Int64, Int32)])
  func `reads a relay's stamps`(text: String, seconds: Int64, nanoseconds: Int32) {
    #expect(
      lines(text).map(\.content)
        == [.stamp(UTCInstant(seconds: seconds, nanoseconds: nanoseconds))])
  }

  static let whole = #"$J,"12","00:00:33.271","00:00:35.604""#

  @Test(arguments: 2..<whole.utf8.count)
  func `puts a record together that a stamp cut in half`(cut: Int) {
    let head = String(Self.whole.prefix(cut))
    let tail = String(Self.whole.dropFirst(cut))
    let feed = "\(head)\n\n##2025-03-01 22:43:02.295\n\(tail)\r\n$B,2,\"b\"\r\n"
    let expected: [RMonitorRecord] = [
      .crossing(
        .init(
          registration: "12", lapTime: .milliseconds(33_271), totalTime: .milliseconds(35_604))),
      .run(number: "2", description: "b"),
    ]
    // A command that is cut is no record, and its rest none either.
    let isReadable = cut > 2 || head == "$J"
    #expect((records(feed) == expected) == isReadable)
  }

  @Test func `gives up a cut record when another begins`() {
    let feed = "$J,\"12\",\"00:0\n##2025-03-01 22:43:02.295\n$B,2,\"b\"\n:33\"\n"
    #expect(problems(feed).map(\.reason) == [.unterminatedQuote, .notARecord])
    #expect(problems(feed).map(\.line) == [1, 4])
    #expect(records(feed) == [.run(number: "2", description: "b")])
  }

  @Test func `a problem is one sentence that names the line and the record`() {
    #expect(
      problems("\n$G,1,\"1\"\n").map(\.description) == ["line 2: $G has 2 fields and needs 4"])
    #expect(
      problems("a\u{7}\u{1b}[2J\n").map(\.description) == [#"line 1: "a??[2J" is no record"#])
  }
}
