import RaceControl
import Testing

@testable import RaceFeeds

/// Where a read ends makes no difference, whatever is in the feed.
@Suite struct RMonitorChunkingTests {
  /// Sense and nonsense of a feed, the same for a seed.
  static func feed(seed: UInt64, lines: Int) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int(random.next() % UInt64(elements.count))]
    }
    var bytes: [UInt8] = [0xef, 0xbb, 0xbf]
    var total = 0
    for _ in 0..<lines {
      total += Int(random.next() % 3)
      let kart = 1 + random.next() % 6
      let time = "00:\(10 + total / 60 % 50):\(10 + total % 50).\(100 + random.next() % 900)"
      let line = pick([
        #"$F,9999,"00:05:00","12:00:00","\#(time)","Green ""#,
        #"$F,9999,"00:05:00","12:00:00","\#(time)","Finish""#,
        #"$J,"\#(kart)","00:00:31.000","\#(time)""#,
        #"$G,1,"\#(kart)",\#(random.next() % 9),"\#(time)""#,
        #"$H,1,"\#(kart)",\#(random.next() % 9),"\#(time)""#,
        #"$A,"\#(kart)","\#(kart)",100\#(kart),"Kart \#(kart)","","",1"#,
        #"$COMP,"\#(kart)","\#(kart)A",1,"Kart \#(kart)","","","""#,
        #"$B,\#(random.next() % 3),"Run""#, "$I, \"00:00:00\", \"0/0/0000\"",
        #"$COR,"\#(kart)","\#(kart)",\#(random.next() % 9),"\#(time)","+00:00:01""#,
        "##2025-03-01 22:\(10 + total / 60 % 50):\(10 + total % 50).295", "",
      ])
      bytes += Array(line.utf8)
      // One in eight is damaged.
      if random.next() % 8 == 0, !bytes.isEmpty {
        let index = bytes.count - 1 - Int(random.next() % UInt64(min(bytes.count, 30)))
        switch random.next() % 4 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8(ascii: "\n"), at: index)
        default: bytes.removeLast(bytes.count - index)
        }
      }
      bytes += Array(pick(["\r\n", "\n", "\r\r\n"]).utf8)
    }
    return bytes
  }

  @Test(arguments: 1...30)
  func `the same lines from portions of any size`(seed: UInt64) {
    let feed = Self.feed(seed: seed, lines: 300)
    var parser = RMonitorParser()
    let whole = parser.read(feed) + parser.finish()
    #expect(whole.count > 100)

    var random = SplitMix64(seed: seed)
    var portions = RMonitorParser()
    var lines: [RMonitorLine] = []
    var rest = feed[...]
    while !rest.isEmpty {
      let portion = rest.prefix(1 + Int(random.next() % 40))
      lines += portions.read(portion)
      rest = rest.dropFirst(portion.count)
    }
    #expect(lines + portions.finish() == whole)
  }

  @Test(arguments: 1...30, [SessionKind.race, .qualifying])
  func `nothing in a feed is fatal, and the same feed gives the same race`(
    seed: UInt64, kind: SessionKind
  ) {
    let bytes = Self.feed(seed: seed, lines: 2000)
    let first = RMonitorFeed(session: .init(kind: kind, laps: 5), bytes: bytes)
    let second = RMonitorFeed(session: .init(kind: kind, laps: 5), bytes: bytes)
    #expect(first.batches == second.batches)
    #expect(first.report == second.report)
    #expect(first.report.problemCount > 50)
    #expect(!first.events.isEmpty)
    #expect(first.report.problems.count == RMonitorReport.keptProblems)
  }
}
