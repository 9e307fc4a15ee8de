import Foundation
import Glibc
import MeshTesting
import Testing

/// The gateway dies while `kart follow` and a feed go through it.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct GatewayChaosTests {
  /// A race of 20 laps of a second each, as a timing system tells it, with the times of receipt.
  static var timingFeed: String {
    var records: [(time: Double, text: String)] = (1...3).map {
      (0, #"$A,"\#($0)","\#($0)",\#(1000 + $0),"Driver \#($0)","","",1"#)
    }
    for second in 0...22 {
      let flag = second < 20 ? "Green " : "Finish"
      let time = clock(Double(second))
      records.append(
        (
          Double(second),
          #"$F,\#(max(0, 20 - second)),"00:00:00","10:00:00","\#(time.prefix(8))","\#(flag)""#
        ))
    }
    for kart in 1...3 {
      let lapTime = 0.9 + 0.1 * Double(kart)
      // The others go on until they cross after the leader's twentieth.
      var time = 0.0
      for lap in 1...20 where kart == 1 || time < 20 {
        time = lapTime * Double(lap)
        records.append((time, #"$J,"\#(kart)","00:00:01.000","\#(clock(time))""#))
        records.append((time, #"$G,\#(kart),"\#(kart)",\#(lap),"\#(clock(time))""#))
      }
    }
    return records.sorted { $0.time < $1.time }
      .map { "##2026-01-01 10:\(clock($0.time).dropFirst(3))\r\n\($0.text)\r\n" }.joined()
  }

  private static func clock(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    return
      "00:\(padded(milliseconds / 60_000, 2)):\(padded(milliseconds / 1000 % 60, 2)).\(padded(milliseconds % 1000, 3))"
  }

  @Test func followAndFeedReconnectAndLoseNothing() async throws {
    let mesh = try await Mesh(demo: false)
    let file = mesh.folder.file("feed.txt")
    try Data(Self.timingFeed.utf8).write(to: URL(filePath: file))
    try await mesh.schedule(
      #"{"name": "Sprint", "location": "Here", "startTime": "2026-01-01T10:00:00Z", "laps": 20}"#)

    let follow = try mesh.kart("follow", "Sprint", "--standings", "--json")
    let feed = try mesh.kart(
      "feed", "rmonitor", "--file", file, "--speed", "1", "--race", "Sprint", "--session", "race",
      "--laps", "20")
    for lap in [4, 8, 12, 16] {
      try await follow.output.first { line in
        (try? FollowedEvent(line: line))?.places?.contains(Place(1, laps: lap)) == true
      }
      for gateway in mesh.processes("gateway") { kill(gateway, SIGKILL) }
    }
    #expect(try await feed.exit == .status(0), "\(feed.transcript)")

    let final = [Place(1, laps: 20), Place(2, laps: 19), Place(3, laps: 17)]
    try await follow.output.first { (try? FollowedEvent(line: $0))?.places == final }
    follow.send(signal: SIGINT)
    #expect(try await follow.exit == .status(0), "\(follow.transcript)")
    let sequences = try follow.output.lines.map { try FollowedEvent(line: $0).number }
    #expect(sequences == Array(1...UInt64(sequences.count)))
  }
}

/// A kart's place in the standings is where it stands in their list.
private struct Place: Equatable {
  var kart: Int
  var laps: Int

  init(_ kart: Int, laps: Int) {
    self.kart = kart
    self.laps = laps
  }
}

/// A line of `kart follow --json`, as far as this test reads it.
private struct FollowedEvent: Decodable {
  struct Standings: Decodable {
    struct Entry: Decodable {
      var kartNumber: Int
      var lap: Int
    }
    var entries: [Entry]
  }

  var sequence: String
  var standings: Standings?

  init(line: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
  }

  var number: UInt64 { UInt64(sequence) ?? 0 }
  var places: [Place]? { standings?.entries.map { Place($0.kartNumber, laps: $0.lap) } }
}
