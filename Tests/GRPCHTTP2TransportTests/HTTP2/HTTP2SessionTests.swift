import Testing

@testable import GRPCHTTP2Transport

@Suite struct HTTP2SessionTests {
  @Test func aCallGoesThereAndBack() throws {
    let pair = try SessionPair()
    let call = pair.request()
    call.outbound.append([1, 2, 3])
    call.outboundEnd = .withData
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    try pair.exchange()
    let served = try #require(pair.server.accepted.first)
    #expect(
      served.events == [
        "headers :method=POST :scheme=http :path=/a.B/C :authority=localhost", "end",
      ])
    #expect(served.received == [0, 0, 0, 0, 3, 1, 2, 3])

    var headers = HeaderList()
    headers.append(":status", "200")
    served.trailers.append("grpc-status", "0")
    served.trailers.append("x-note".utf8, "done".utf8)
    pair.server.session.submitResponse(served, headers)
    try pair.exchange()
    #expect(call.events == ["headers :status=200"])

    served.outbound.append([4])
    pair.server.session.resume(served)
    try pair.exchange()
    #expect(call.received == [0, 0, 0, 0, 1, 4])

    served.outboundEnd = .withTrailers
    pair.server.session.resume(served)
    try pair.exchange()
    #expect(
      call.events == [
        "headers :status=200", "headers grpc-status=0 x-note=done end", "closed NO_ERROR",
      ])
    #expect(served.events.last == "closed NO_ERROR")
    #expect(pair.server.session.streams.isEmpty && pair.client.session.streams.isEmpty)
  }

  @Test func aStreamsHeadersAreSentOnceTheyAreOutput() throws {
    let pair = try SessionPair()
    let call = pair.request()
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    #expect(!pair.client.session.hasSentHeaders(of: call))
    try pair.exchange()
    #expect(pair.client.session.hasSentHeaders(of: call))
  }

  @Test func onlyTheStreamBeyondTheAdvertisedLimitIsRefused() throws {
    let pair = try SessionPair(server: HTTP2Settings(maxConcurrentStreams: 2))
    pair.server.limit = 2
    // The client has not seen the settings yet, and so opens more than it may.
    let calls = (0..<3).map { _ in pair.request() }
    for call in calls {
      try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    }
    try pair.exchange()
    #expect(calls.map { $0.events.last } == [nil, nil, "closed REFUSED_STREAM"])
    #expect(pair.client.events.contains("settings"))

    // Now it has: the fourth waits for one of the first two to end.
    let fourth = pair.request()
    try pair.client.session.submitRequest(fourth, SessionPair.requestHeaders(), endStream: true)
    try pair.exchange()
    #expect(pair.server.accepted.count == 2)
    pair.client.session.reset(calls[0], .cancel)
    try pair.exchange()
    #expect(pair.server.accepted.count == 3)
    #expect(pair.server.accepted[0].events.last == "closed CANCEL")
  }

  /// nghttp2 aborts the process if it is told to end by a callback and the peer breaks the rules next.
  @Test(arguments: [1, 9, 1000])
  func itMayEndOverAFrameThatAMalformedOneFollows(chunkSize: Int) throws {
    let pair = try SessionPair()
    try pair.exchange()
    let client = pair.client
    client.onGoAway = { client.session.terminate(.enhanceYourCalm) }
    let bytes: [UInt8] = [
      // GOAWAY, then HEADERS on a stream of no number, twice.
      0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0,
      0, 0, 1, 1, 4, 0, 0, 0, 0, 0x88, 0, 0, 1, 1, 4, 0, 0, 0, 0, 0x88,
    ]
    for start in stride(from: 0, to: bytes.count, by: chunkSize) {
      try bytes[start..<min(start + chunkSize, bytes.count)].withUnsafeBytes {
        try client.session.receive($0)
      }
    }
    try pair.exchange()
    #expect(client.events.filter { $0.hasPrefix("goaway") }.count == 1)
    #expect(pair.server.events.contains { $0.hasPrefix("goaway") })
    #expect(client.session.isFinished)
  }

  @Test func aRequestResetBeforeItWasSentIsToldOfItsEnd() throws {
    let pair = try SessionPair(server: HTTP2Settings(maxConcurrentStreams: 1))
    let first = pair.request()
    try pair.client.session.submitRequest(first, SessionPair.requestHeaders(), endStream: true)
    try pair.exchange()
    let waiting = pair.request()
    try pair.client.session.submitRequest(waiting, SessionPair.requestHeaders(), endStream: true)
    try pair.exchange()
    pair.client.session.reset(waiting, .cancel)
    pair.client.session.reset(first, .cancel)
    try pair.exchange()
    #expect(waiting.events == ["closed CANCEL"])
    #expect(pair.client.session.streams.isEmpty)
    #expect(pair.server.accepted.count == 1)
  }

  @Test func aStreamThatIsNotConsumedStopsItsWriterAndNobodyElse() throws {
    let pair = try SessionPair(
      server: HTTP2Settings(initialWindowSize: 65_535, maxWindowSize: 65_535))
    try pair.exchange()
    let slow = pair.request()
    let quick = pair.request()
    for call in [slow, quick] {
      call.outbound.append([UInt8](repeating: 7, count: 1 << 20))
      call.outboundEnd = .withData
      try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    }
    try pair.exchange()
    let served = pair.server.accepted
    #expect(served.map(\.received.count) == [65_535, 65_535])
    while served[1].events.last != "end" {
      pair.server.session.consume(65_535, on: served[1])
      try pair.exchange()
    }
    #expect(served[1].received.count == (1 << 20) + 5)
    #expect(served[0].received.count == 65_535)
    #expect(slow.outbound.byteCount == (1 << 20) + 5 - 65_535)
  }

  /// They were promised for a frame that there was no room for yet.
  @Test func bytesThatAreTakenBackAreNotSentAsZeros() throws {
    let pair = try SessionPair()
    try pair.exchange()
    let call = pair.request()
    let message = (0..<200_000).map { UInt8($0 % 251 + 1) }
    call.outbound.append(message)
    call.outboundEnd = .withData
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    let output = OutputBuffer(capacity: 64)
    _ = try pair.client.session.produce(into: output)
    call.outbound.removeAll()
    try pair.server.session.receive(UnsafeRawBufferPointer(output.bytes))
    try pair.exchange()
    let served = pair.server.accepted[0]
    #expect(served.received.count > 100_000)
    // Not in the expectation, which would print them.
    let isTrue = message.starts(with: served.received.dropFirst(5))
    #expect(isTrue)
    #expect(served.events.last == "closed INTERNAL_ERROR")
  }

  @Test func frameThatComesLateOnAResetStreamIsTolerated() throws {
    let pair = try SessionPair()
    let call = pair.request()
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: false)
    try pair.exchange()
    // Both are under way at once: the data meets a stream that the server has reset.
    call.outbound.append([1])
    pair.client.session.resume(call)
    pair.server.session.reset(pair.server.accepted[0], .cancel)
    let late = OutputBuffer(capacity: 64)
    _ = try pair.client.session.produce(into: late)
    try pair.exchange()
    try pair.server.session.receive(UnsafeRawBufferPointer(late.bytes))
    let next = pair.request()
    try pair.client.session.submitRequest(next, SessionPair.requestHeaders(), endStream: true)
    try pair.exchange()
    #expect(pair.server.accepted.count == 2)
    #expect(call.events == ["closed CANCEL"])
  }

  @Test func goAwayComesTwiceAndTheSessionFinishesWithItsLastStream() throws {
    let pair = try SessionPair()
    let call = pair.request()
    try pair.client.session.submitRequest(call, SessionPair.requestHeaders(), endStream: true)
    try pair.exchange()
    pair.server.session.submitShutdownNotice()
    try pair.exchange()
    pair.server.session.submitGoAway(.noError)
    try pair.exchange()
    #expect(
      pair.client.events.filter { $0.hasPrefix("goaway") }
        == ["goaway \(Int32.max) NO_ERROR", "goaway 1 NO_ERROR"])
    #expect(!pair.server.session.isFinished)
    var headers = HeaderList()
    headers.append(":status", "200")
    pair.server.session.submitTrailersOnly(pair.server.accepted[0], headers)
    try pair.exchange()
    #expect(pair.server.session.isFinished && pair.client.session.isFinished)
  }

  @Test func pingsAreAnswered() throws {
    let pair = try SessionPair()
    pair.client.session.submitPing(42)
    try pair.exchange()
    #expect(pair.server.events.contains("ping 42"))
    #expect(pair.client.events.contains("pong 42"))
  }

  @Test func bytesThatAreNoHTTP2EndTheSession() throws {
    let server = try SessionEnd(.server, HTTP2Settings())
    #expect(throws: HTTP2SessionError.self) {
      try Array("GET / HTTP/1.1\r\n\r\n".utf8).withUnsafeBytes { try server.session.receive($0) }
    }
  }
}
