import CNghttp2
import Testing

@testable import GRPCHTTP2Transport

/// What counts against a client, without a client.
@Suite struct FloodGuardTests {
  private typealias Header = FrameScanner.Header

  private let start = ContinuousClock.now

  @Test func aBucketFillsWithTime() {
    var bucket = TokenBucket(RateLimit(burst: 2, perSecond: 10), at: start)
    func take(_ milliseconds: Int) -> Bool {
      bucket.take(at: start + .milliseconds(milliseconds))
    }
    #expect(take(0))
    #expect(take(0))
    #expect(!take(0))
    #expect(!take(99))
    #expect(take(101))
    #expect(!take(102))
    // It never holds more than a burst.
    #expect(take(60_000))
    #expect(take(60_000))
    #expect(!take(60_000))
  }

  @Test func whatCallsNeedIsFree() {
    var flood = FloodGuard(FloodLimits())
    for _ in 0..<100_000 {
      for frame in [
        Header(length: 20, type: 1, flags: 4), Header(length: 20, type: 0, flags: 0),
        Header(length: 0, type: 0, flags: 1), Header(length: 4, type: 8, flags: 0),
        Header(length: 8, type: 6, flags: 1), Header(length: 0, type: 4, flags: 1),
      ] {
        let found = flood.didReceive(
          frame, hasSentData: false, sent: HTTP2Session.SentData(), at: { start })
        #expect(found == nil)
      }
    }
  }

  @Test func pingsAreFreeForThoseWhoAreSentData() {
    var flood = FloodGuard(FloodLimits())
    func ping(hasSentData: Bool) -> FloodGuard.Flood? {
      flood.didReceive(
        Header(length: 8, type: 6, flags: 0), hasSentData: hasSentData,
        sent: HTTP2Session.SentData(), at: { start })
    }
    for _ in 0..<1000 { #expect(ping(hasSentData: true) == nil) }
    for _ in 0..<100 { #expect(ping(hasSentData: false) == nil) }
    #expect(ping(hasSentData: false) == .pings)
  }

  @Test func windowUpdatesAreFreeForThoseWhoAreSentData() {
    var limits = FloodLimits()
    limits.windowUpdates = RateLimit(burst: 5, perSecond: 1)
    var flood = FloodGuard(limits)
    var sent = HTTP2Session.SentData()
    func updates(_ count: Int) -> [FloodGuard.Flood] {
      (0..<count).compactMap { _ in
        flood.didReceive(
          Header(length: 4, type: 8, flags: 0), hasSentData: false, sent: sent, at: { start })
      }
    }
    _ = flood.didReceive(
      Header(length: 20, type: 1, flags: 4), hasSentData: false, sent: sent, at: { start })
    // One for the connection and one for the stream that it has opened.
    #expect(updates(2) == [])
    // As many empty messages as a frame takes, and one in a frame of its own: each is given back to both.
    for messages in [3276, 1] {
      sent.frames += 1
      sent.bytes += 5 * messages
      #expect(updates(2 * messages) == [])
    }
    // What is left of the frames' share, and then the burst.
    #expect(updates(2 * 10 + 5 * 3277 / 2 - 2 * 3277 + 5) == [])
    #expect(updates(2) == [.windowUpdates, .windowUpdates])
  }

  @Test func aPingTooEarlyIsAStrike() {
    var policy = PingPolicy()
    policy.minimumInterval = .seconds(10)
    var strikes = PingStrikes(policy)
    func ping(_ seconds: Int, hasCalls: Bool = true, hasSentData: Bool = false) -> Bool {
      strikes.didReceive(
        hasCalls: hasCalls, hasSentData: hasSentData, at: start + .seconds(seconds))
    }
    #expect(!ping(0))
    #expect(!ping(10))
    #expect(!ping(11))
    #expect(!ping(12))
    // Data wipes the slate.
    #expect(!ping(13, hasSentData: true))
    #expect(!ping(14))
    #expect(!ping(15))
    #expect(ping(16))
  }

  @Test func withoutCallsOnePingInTwoHoursMayCome() {
    var policy = PingPolicy()
    policy.minimumInterval = .seconds(10)
    policy.maxStrikes = 0
    func pings(_ seconds: Int...) -> [Bool] {
      var strikes = PingStrikes(policy)
      return seconds.map {
        strikes.didReceive(hasCalls: false, hasSentData: false, at: start + .seconds($0))
      }
    }
    #expect(pings(0, 7200, 7220) == [false, false, true])
    policy.permitWithoutCalls = true
    #expect(pings(0, 10) == [false, false])
  }
}
