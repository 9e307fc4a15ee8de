import EventLoop
import Glibc
import Synchronization

@testable import GRPCHTTP2Transport

/// A client that speaks HTTP/2 by hand: it sends the frames a test gives it, right or wrong, and shows what
/// comes back. It answers nothing on its own.
///
/// `@unchecked Sendable` holds because the loop alone reads and one test alone sends.
final class WireClient: DescriptorHandler, @unchecked Sendable {
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// What the server has sent; ends with the connection.
  struct Frames: AsyncSequence, AsyncIteratorProtocol {
    fileprivate let client: WireClient

    func next() async -> WireFrame? { await client.next() }

    func makeAsyncIterator() -> Frames { self }
  }

  private struct Mailbox {
    var frames: [WireFrame] = []
    var hasEnded = false
    var waiting: CheckedContinuation<WireFrame?, Never>?
  }

  private let mailbox = Mutex(Mailbox())
  private let loop: EventLoop
  private let descriptor: Int32
  private var registration: DescriptorRegistration?
  private var input: [UInt8] = []
  private let decoder = WireHeaders.Decoder()

  /// Connects, and sends the preface and empty settings unless told otherwise.
  convenience init(
    to address: SocketAddress, on loop: EventLoop, greets: Bool = true,
    settings: [(UInt16, UInt32)] = []
  ) throws {
    let storage = try SocketAddressStorage(address)
    let descriptor = socket(storage.family, Int32(SOCK_STREAM.rawValue), 0)
    guard storage.withSockaddr({ connect(descriptor, $0, $1) }) == 0 else {
      throw SystemError("connect", "\(address)")
    }
    self.init(descriptor, on: loop, greets: greets, settings: settings)
  }

  /// Takes over a connected socket.
  init(
    _ descriptor: Int32, on loop: EventLoop, greets: Bool = true, settings: [(UInt16, UInt32)] = []
  ) {
    self.loop = loop
    self.descriptor = descriptor
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    loop.execute {
      self.registration = try? loop.register(self.descriptor, for: .readable, handler: self)
    }
    if greets {
      send(Self.preface)
      send(.settings(settings))
      // The server's settings, which are on their way.
      send(WireFrame(.settings, flags: WireFrame.acknowledgement))
    }
  }

  var frames: Frames { Frames(client: self) }

  private func next() async -> WireFrame? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let next = mailbox.withLock { mailbox -> WireFrame?? in
          if !mailbox.frames.isEmpty { return mailbox.frames.removeFirst() }
          if mailbox.hasEnded || Task.isCancelled { return .some(nil) }
          mailbox.waiting = continuation
          return .none
        }
        if let next { continuation.resume(returning: next) }
      }
    } onCancel: {
      mailbox.withLock { $0.waiting.take() }?.resume(returning: nil)
    }
  }

  private func deliver(_ frame: WireFrame?) {
    let waiting = mailbox.withLock { mailbox -> CheckedContinuation<WireFrame?, Never>? in
      if let waiting = mailbox.waiting.take() { return waiting }
      if let frame { mailbox.frames.append(frame) } else { mailbox.hasEnded = true }
      return nil
    }
    waiting?.resume(returning: frame)
  }

  /// Sends bytes; what the server does not take because it has closed is lost.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ frames: WireFrame...) {
    send(frames.flatMap(\.bytes))
  }

  /// Waits for a frame that a test looks for.
  ///
  /// - Returns: It; nil if the connection ended before.
  func first(where matches: (WireFrame) -> Bool) async -> WireFrame? {
    for await frame in frames where matches(frame) { return frame }
    return nil
  }

  /// Waits for the last GOAWAY and the end of the connection.
  func goAway() async -> WireFrame? {
    var last: WireFrame?
    for await frame in frames where frame.kind == .goAway {
      if last == nil || !frame.words.isEmpty { last = frame }
    }
    return last
  }

  /// Waits until a stream has ended.
  ///
  /// - Returns: Its header fields, and the code of the reset if there was one.
  func answer(to stream: UInt32) async -> (fields: [String: String], code: UInt32?) {
    var fields: [String: String] = [:]
    for await frame in frames {
      guard frame.stream == stream else { continue }
      fields.merge(frame.fields) { $1 }
      if frame.kind == .reset { return (fields, frame.code) }
      if frame.has(WireFrame.endStream), frame.kind == .headers || frame.kind == .data {
        return (fields, nil)
      }
    }
    return (fields, nil)
  }

  // Not earlier: a test may still be sending, and would send to whoever had the number next.
  deinit { Glibc.close(descriptor) }

  func close() {
    loop.execute {
      guard let registration = self.registration else { return }
      self.end(registration)
    }
  }

  func descriptorIsReady(_ readiness: Readiness) {
    guard let registration else { return }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      input += buffer[..<count]
      parse()
    } else if count == 0 || errno != EAGAIN {
      end(registration)
    }
  }

  private func end(_ registration: DescriptorRegistration) {
    self.registration = nil
    loop.deregister(registration)
    shutdown(descriptor, Int32(SHUT_RDWR))
    mailbox.withLock { $0.hasEnded = true }
    deliver(nil)
  }

  private func parse() {
    var rest = input[...]
    while rest.count >= 9 {
      let start = rest.startIndex
      let length = Int(rest[start]) << 16 | Int(rest[start + 1]) << 8 | Int(rest[start + 2])
      guard rest.count >= 9 + length else { break }
      var frame = WireFrame(
        type: rest[start + 3], flags: rest[start + 4],
        stream: WireFrame.number(rest[(start + 5)...]) & 0x7fff_ffff,
        Array(rest[(start + 9)..<(start + 9 + length)]))
      // The server neither pads its header blocks nor cuts them into pieces.
      if frame.kind == .headers { frame.fields = decoder.decode(frame.payload) }
      deliver(frame)
      rest = rest.dropFirst(9 + length)
    }
    input = Array(rest)
  }
}
