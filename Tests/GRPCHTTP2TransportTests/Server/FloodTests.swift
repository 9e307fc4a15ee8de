import Dispatch
import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// Clients that do too much of what costs the server more than them: theirs is the connection that ends.
@Suite(.timeLimit(.minutes(1))) struct FloodTests {
  private static let enhanceYourCalm: UInt32 = 0xb

  private var configuration: HTTP2ServerTransport.Configuration {
    var configuration = HTTP2ServerTransport.Configuration.defaults
    let limit = RateLimit(burst: 50, perSecond: 1)
    configuration.floodLimits.resets = limit
    configuration.floodLimits.pings = limit
    configuration.floodLimits.settings = limit
    configuration.floodLimits.windowUpdates = limit
    configuration.floodLimits.goAways = limit
    configuration.floodLimits.idleFrames = limit
    configuration.pingPolicy.maxStrikes = nil
    return configuration
  }

  private func expectExpulsion(
    _ words: String, _ configuration: HTTP2ServerTransport.Configuration? = nil,
    _ attack: (WireClient) -> Void
  ) async throws {
    try await TestServer.withBystander(configuration ?? self.configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      attack(client)
      let goAway = try #require(await client.goAway())
      #expect(goAway.code == Self.enhanceYourCalm)
      #expect(goAway.words == words)
    }
  }

  @Test func resetsInRapidSuccession() async throws {
    try await expectExpulsion("too_many_resets") { client in
      for index in UInt32(0)..<60 {
        client.send(.headers(2 * index + 1, WireHeaders.request("/test.Echo/Bidi")))
        client.send(.reset(2 * index + 1))
      }
    }
  }

  @Test func resetsThatTheServerIsMadeToSend() async throws {
    try await expectExpulsion("too_many_resets") { client in
      for index in UInt32(0)..<60 {
        let id = 2 * index + 1
        client.send(.headers(id, WireHeaders.request("/test.Echo/Bidi")))
        // Makes the window larger than a window may be, which costs the stream.
        client.send(.windowUpdate(id, by: 0x7fff_ffff))
      }
    }
  }

  @Test func streamsBeyondTheLimit() async throws {
    var configuration = configuration
    configuration.maxConcurrentStreams = 2
    try await expectExpulsion("too_many_resets", configuration) { client in
      for index in UInt32(0)..<60 {
        client.send(.headers(2 * index + 1, WireHeaders.request("/test.Echo/Collect")))
      }
    }
  }

  @Test func aClientThatHasNotHeardOfTheLimitMayExceedIt() async throws {
    var configuration = configuration
    configuration.maxConcurrentStreams = 2
    try await TestServer.withBystander(configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0], greets: false)
      client.send(WireClient.preface)
      client.send(.settings())
      for index in UInt32(0)..<200 {
        client.send(.headers(2 * index + 1, WireHeaders.request("/test.Echo/Collect")))
      }
      var refused = 0
      for await frame in client.frames where frame.kind == .reset || frame.kind == .goAway {
        refused += 1
        #expect(frame.kind == .reset && frame.code == 7)
        if frame.kind == .goAway || refused == 198 { break }
      }
      client.close()
    }
  }

  @Test func whatAClientDoesNotReadIsNotKeptWithoutBound() async throws {
    var configuration = configuration
    configuration.maxConcurrentStreams = 2
    configuration.floodLimits.resets = RateLimit(burst: 1_000_000, perSecond: 1)
    try await TestServer.withBystander(configuration) { server, _ in
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      var least: Int32 = 1
      setsockopt(
        ends[1], SOL_SOCKET, SO_SNDBUF, &least, socklen_t(MemoryLayout<Int32>.size))
      let loop = EventLoop(name: "client")
      let gate = DispatchSemaphore(value: 0)
      loop.execute { gate.wait() }
      let client = WireClient(ends[0], on: loop)
      try server.transport.adopt(connected: ends[1])
      for index in UInt32(0)..<10_000 {
        client.send(.headers(2 * index + 1, WireHeaders.request("/test.Echo/Collect")))
      }
      client.send(.ping(1))
      gate.signal()
      #expect(await client.first { $0.kind == .ping } == nil)
      client.close()
      await loop.shutdown()
    }
  }

  @Test func handlersOfResetStreamsCountAsLongAsTheyRun() async throws {
    var configuration = configuration
    configuration.maxConcurrentStreams = 4
    try await TestServer.withBystander(configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      for index in UInt32(0)..<20 {
        client.send(.headers(2 * index + 1, WireHeaders.request("/test.Echo/Hang")))
        client.send(.message(2 * index + 1), .reset(2 * index + 1))
      }
      client.send(.headers(41, WireHeaders.request()), .message(41))
      let answer = await client.answer(to: 41)
      #expect(answer.fields["grpc-status"] == "0" || answer.code == 7)
      client.close()
    }
  }

  @Test func pings() async throws {
    try await expectExpulsion("too_many_pings") { client in
      for _ in 0..<60 { client.send(.ping()) }
    }
  }

  @Test func pingsAreStrikesByThePolicy() async throws {
    try await expectExpulsion("too_many_pings", .defaults) { client in
      for _ in 0..<4 { client.send(.ping()) }
    }
  }

  @Test func aClientMayPingForWhatItReceives() async throws {
    try await TestServer.withBystander(.defaults) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Bidi")))
      for _ in 0..<20 {
        client.send(.message(1, endStream: false))
        let data = await client.first { $0.kind == .data || $0.kind == .goAway }
        #expect(data?.kind == .data)
        client.send(.ping())
        _ = await client.first { $0.kind == .ping || $0.kind == .goAway }
      }
      client.send(WireFrame(.data, flags: WireFrame.endStream, stream: 1))
      #expect(await client.answer(to: 1).fields["grpc-status"] == "0")
      client.close()
    }
  }

  @Test func settings() async throws {
    try await expectExpulsion("too_many_settings") { client in
      for _ in 0..<60 { client.send(.settings()) }
    }
  }

  @Test(arguments: [UInt32(0), 1])
  func windowUpdates(stream: UInt32) async throws {
    try await expectExpulsion("too_many_window_updates") { client in
      client.send(.headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1))
      for _ in 0..<60 { client.send(.windowUpdate(stream, by: 1)) }
    }
  }

  @Test func aClientMayGiveItsWindowBackAsFinelyAsItReads() async throws {
    try await TestServer.withBystander(configuration) { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Expand")))
      client.send(.message(1, Array("1000".utf8)))
      var hasEnded = false
      for await frame in client.frames {
        if frame.kind == .goAway || frame.kind == .reset { break }
        if frame.kind == .headers { hasEnded = frame.has(WireFrame.endStream) }
        if hasEnded { break }
        guard frame.kind == .data, !frame.payload.isEmpty else { continue }
        // A hundred bytes at a time, for the stream and for the connection.
        var updates: [WireFrame] = []
        for start in stride(from: 0, to: frame.payload.count, by: 100) {
          let size = UInt32(min(100, frame.payload.count - start))
          updates += [.windowUpdate(0, by: size), .windowUpdate(1, by: size)]
        }
        client.send(updates.flatMap(\.bytes))
      }
      #expect(hasEnded)
      client.close()
    }
  }

  @Test func goAways() async throws {
    try await expectExpulsion("too_many_goaways") { client in
      // Without a call the first one would end the connection.
      client.send(.headers(1, WireHeaders.request("/test.Echo/Hang")), .message(1))
      for _ in 0..<60 { client.send(WireFrame(.goAway, [UInt8](repeating: 0, count: 8))) }
    }
  }

  @Test func emptyData() async throws {
    try await expectExpulsion("too_many_idle_frames") { client in
      client.send(.headers(1, WireHeaders.request("/test.Echo/Bidi")))
      for _ in 0..<60 { client.send(WireFrame(.data, stream: 1)) }
    }
  }

  @Test(arguments: [
    WireFrame(.priority, stream: 3, [0, 0, 0, 0, 16]), WireFrame(type: 0xbe, [1, 2, 3]),
  ])
  func framesThatAreIgnored(frame: WireFrame) async throws {
    try await expectExpulsion("too_many_idle_frames") { client in
      for _ in 0..<60 { client.send(frame) }
    }
  }

  @Test func aHeaderBlockInTooManyPieces() async throws {
    try await expectExpulsion("too_many_continuations") { client in
      client.send(.headers(1, WireHeaders.request(), endHeaders: false))
      for _ in 0..<9 {
        client.send(
          WireFrame(.continuation, stream: 1, WireHeaders.encode([("x-filler", "y")])))
      }
    }
  }

  @Test func aClientThatReadsNothingCostsNoMoreThanItsWindow() async throws {
    try await TestServer.withBystander { server, address in
      let client = try WireClient(to: address, on: server.loops.loops[0])
      client.send(.headers(1, WireHeaders.request("/test.Echo/Expand")))
      client.send(.message(1, Array("1000000".utf8)))
      // The window it has given, and not a byte more.
      var received = 0
      for await frame in client.frames where frame.kind == .data {
        received += frame.payload.count
        if received == 65_535 { break }
      }
      client.send(.ping(1))
      let next = await client.first { $0.kind == .ping || $0.kind == .data }
      #expect(next?.kind == .ping)
      client.close()
    }
  }
}
