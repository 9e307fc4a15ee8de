import CNghttp2
import Testing

@testable import GRPCHTTP2Transport

/// How a session's windows grow with what its connection carries.
@Suite struct SessionWindowTests {
  /// Sends 16 MiB to a server that takes in whatever comes, and a millisecond goes by whenever someone looks.
  ///
  /// - Returns: The window that new streams of the client's have in the end, and the pair.
  private func send(to settings: HTTP2Settings) throws -> (window: Int, pair: SessionPair) {
    let start = ContinuousClock.now
    var looks = 0
    let pair = try SessionPair(server: settings) {
      looks += 1
      return start + .milliseconds(looks)
    }
    let call = pair.request()
    call.outbound.append([UInt8](repeating: 7, count: 16 << 20))
    call.outboundEnd = .withData
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    try pair.exchange()
    let served = try #require(pair.server.accepted.first)
    var consumed = 0
    while served.events.last != "end" {
      pair.server.session.consume(served.received.count - consumed, on: served)
      consumed = served.received.count
      try pair.exchange()
    }
    #expect(served.received.count == (16 << 20) + 5)
    let window = nghttp2_session_get_remote_settings(
      pair.client.session.raw, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE)
    return (Int(window), pair)
  }

  @Test func aWindowThatHoldsItsSenderUpGrowsToItsCeiling() throws {
    let (window, pair) = try send(to: HTTP2Settings(maxWindowSize: 1 << 20))
    #expect(window == 1 << 20)
    #expect(pair.server.session.localWindowSize >= 1 << 20)
    // The session's own PINGs are nobody else's business.
    #expect(!pair.server.events.contains { $0.hasPrefix("pong") })
  }

  @Test func aWindowThatIsFixedStaysAsItIs() throws {
    let (window, pair) = try send(
      to: HTTP2Settings(initialWindowSize: 100_000, maxWindowSize: 100_000))
    #expect(window == 100_000)
    #expect(!pair.client.events.contains { $0.hasPrefix("ping") })
  }

  @Test func aStreamThatIsNotConsumedHoldsNoMoreThanTheCeiling() throws {
    let pair = try SessionPair(server: HTTP2Settings(maxWindowSize: 512 << 10))
    let call = pair.request()
    call.outbound.append([UInt8](repeating: 7, count: 4 << 20))
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    try pair.exchange()
    let received = try #require(pair.server.accepted.first).received.count
    #expect(received >= 256 << 10 && received <= 512 << 10)
  }
}
