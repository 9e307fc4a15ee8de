import EventLoop
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// A channel at one end of a pair of Unix sockets.
@Suite(.timeLimit(.minutes(1))) struct SocketChannelTests {
  /// Writes what it is given, notes what comes in, and counts how often it is asked.
  ///
  /// `@unchecked Sendable` holds because everything is touched on the loop alone.
  private final class Handler: SocketChannelHandler, @unchecked Sendable {
    var channel: SocketChannel?
    var pending: [UInt8] = []
    var asked = 0
    var onConnect: () -> Void = {}
    var onReceive: () -> Void = {}
    var onClose: (SocketChannel.CloseReason) -> Void = { _ in }

    func send(_ bytes: [UInt8]) {
      pending += bytes
      channel?.scheduleFlush()
    }

    func channelDidConnect() { onConnect() }

    func channelDidReceive(_ bytes: UnsafeRawBufferPointer) { onReceive() }

    func channelWillWrite(into output: OutputBuffer) -> Bool {
      asked += 1
      let part = pending.prefix(SocketBuffers.outputSize)
      part.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { output.append(base, bytes.count) }
      }
      pending.removeFirst(part.count)
      return !pending.isEmpty
    }

    func channelDidClose(_ reason: SocketChannel.CloseReason) { onClose(reason) }
  }

  /// Waits until both sides of a socket are closed.
  ///
  /// `@unchecked Sendable` holds because everything is touched on the loop alone.
  private final class HangUp: DescriptorHandler, @unchecked Sendable {
    private var registration: DescriptorRegistration?
    private var hungUp: CheckedContinuation<Void, Never>?

    static func wait(of descriptor: Int32, on loop: EventLoop) async {
      let handler = HangUp()
      await withCheckedContinuation { hungUp in
        loop.execute {
          handler.hungUp = hungUp
          handler.registration = try? loop.register(
            descriptor, for: [], edgeTriggered: true, handler: handler)
        }
      }
      loop.execute {
        if let registration = handler.registration { loop.deregister(registration) }
      }
    }

    func descriptorIsReady(_ readiness: Readiness) {
      if readiness.contains(.hangUp) { hungUp.take()?.resume() }
    }
  }

  private func withChannel(
    lingerTime: Duration = .seconds(1),
    _ body: (EventLoop, Handler, _ peer: Int32) async throws -> Void
  ) async throws {
    let loop = EventLoop(name: "channel")
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    let (own, peer) = (pair[0], pair[1])
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
    let handler = Handler()
    await run(on: loop) {
      handler.channel = try? SocketChannel(
        adopting: own, on: loop, lingerTime: lingerTime, handler: handler)
    }
    try await body(loop, handler, peer)
    await run(on: loop) { handler.channel?.close() }
    close(peer)
    await loop.shutdown()
  }

  private func run(on loop: EventLoop, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { done in
      loop.execute {
        body()
        done.resume()
      }
    }
  }

  private func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
    return Array(bytes.prefix(max(received, 0)))
  }

  @Test func aPeerThatReadsDoesNotWakeTheLoop() async throws {
    try await withChannel { loop, handler, peer in
      await run(on: loop) { handler.send([1, 2, 3]) }
      #expect(read(3, from: peer) == [1, 2, 3])
      // Whatever the read has told epoll is seen no later than what it is told now.
      await withCheckedContinuation { done in
        loop.execute {
          handler.onReceive = { loop.execute { done.resume() } }
          _ = send(peer, [4], 1, 0)
        }
      }
      await run(on: loop) { #expect(handler.asked == 1) }
    }
  }

  /// - Parameter how: What of its side the peer has closed before it is written to.
  @Test(arguments: zip([Int32(SHUT_RDWR), Int32(SHUT_RD)], ["closedByPeer", "failed"]))
  func whatCameBeforeThePeerClosedIsRead(how: Int32, reason: String) async throws {
    try await withChannel { loop, handler, peer in
      let told: [String] = await withCheckedContinuation { done in
        loop.execute {
          var told: [String] = []
          handler.onReceive = { told.append("received") }
          handler.onClose = { reason in
            told.append("\(reason)")
            done.resume(returning: told)
          }
          // Before epoll can tell, so that writing finds out first.
          _ = send(peer, [4], 1, 0)
          shutdown(peer, how)
          handler.send([1, 2, 3])
        }
      }
      #expect(told.first == "received")
      #expect(told.count == 2 && told[1].hasPrefix(reason), "\(told)")
    }
  }

  @Test func whatTheSocketDoesNotTakeIsWrittenOnceItDoes() async throws {
    try await withChannel { loop, handler, peer in
      let sent = (0..<4000).flatMap { _ in 0..<UInt8(251) }
      for _ in 0..<2 {
        await run(on: loop) { handler.send(sent) }
        #expect(read(sent.count, from: peer) == sent)
      }
    }
  }

  @Test func whatTheSocketDoesNotTakeIsWrittenBeforeItCloses() async throws {
    try await withChannel { loop, handler, peer in
      let sent = (0..<4000).flatMap { _ in 0..<UInt8(251) }
      await run(on: loop) {
        handler.send(sent)
        handler.channel?.closeAfterFlushing()
      }
      #expect(read(sent.count, from: peer) == sent)
      #expect(read(1, from: peer).isEmpty)
    }
  }

  @Test func whatHasFailedIsClosedThoughItsPeerTakesNothing() async throws {
    try await withChannel(lingerTime: .milliseconds(1)) { loop, handler, peer in
      await run(on: loop) { handler.send([UInt8](repeating: 7, count: 1 << 20)) }
      await run(on: loop) { handler.channel?.fail(.insecure(TLSError("that is no record"))) }
      await HangUp.wait(of: peer, on: loop)
    }
  }

  @Test func onlyRoomToWriteSaysThatItIsConnected() async throws {
    let loop = EventLoop(name: "channel")
    let listener = try ListeningSocket(.ipv4(host: "127.0.0.1", port: 0), on: loop)
    let handler = Handler()
    // The kernel has established the connection at once, and epoll has yet to say so.
    await withCheckedContinuation { connected in
      loop.execute {
        handler.onConnect = { connected.resume() }
        let channel = try? SocketChannel(
          connectingTo: listener.address, on: loop, handler: handler)
        handler.channel = channel
        channel?.descriptorIsReady([.readable, .peerClosed])
        #expect(channel?.state == .connecting)
      }
    }
    await run(on: loop) {
      handler.channel?.close()
      listener.close()
    }
    await loop.shutdown()
  }
}
