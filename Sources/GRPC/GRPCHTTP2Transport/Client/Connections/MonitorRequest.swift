import CLinux
import EventLoop
import GRPCCore
import Glibc

/// Asks the monitor of a virtual machine for a connection to one of its ports.
///
/// ```
///   new ──▶ connecting ──▶ answering ──OK──▶ over
///    └──────────┴───────────── failure ───────▲
/// ```
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class MonitorRequest: DescriptorHandler, @unchecked Sendable {
  private enum State {
    case new
    case connecting
    case answering
    case over
  }

  /// The longest answer to take, in bytes.
  private static let limit = 64

  private let port: UInt32
  private let address: SocketAddress
  private let loop: EventLoop
  private var state = State.new
  private var descriptor: Int32 = -1
  private var registration: DescriptorRegistration?
  private var continuation: UnsafeContinuation<Int32, any Error>?
  private var answer: [UInt8] = []

  init(port: UInt32, address: SocketAddress, loop: EventLoop) {
    self.port = port
    self.address = address
    self.loop = loop
  }

  func start(_ continuation: UnsafeContinuation<Int32, any Error>) {
    guard case .new = state else { return continuation.resume(throwing: CancellationError()) }
    self.continuation = continuation
    do {
      let storage = try SocketAddressStorage(address)
      let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      descriptor = socket(storage.family, Int32(type), 0)
      guard descriptor >= 0 else { throw SystemError("socket", "\(address)") }
      state = .connecting
      guard storage.withSockaddr({ connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS
      else { throw SystemError("connect", "\(address)") }
      registration = try loop.register(descriptor, for: .writable, handler: self)
    } catch {
      fail(RPCError(code: .unavailable, message: "\(error)"))
    }
  }

  /// Gives up.
  func fail(_ error: any Error) {
    guard state != .over else { return }
    state = .over
    let descriptor = takeDescriptor()
    if descriptor >= 0 { close(descriptor) }
    continuation?.resume(throwing: error)
    continuation = nil
  }

  func descriptorIsReady(_ readiness: Readiness) {
    switch state {
    case .connecting: ask()
    case .answering: read()
    case .new, .over: break
    }
  }

  private func ask() {
    let request = Array("CONNECT \(port)\n".utf8)
    // The buffer of a socket that was just connected takes a line whole.
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count,
      let registration
    else { return fail(refusal("\(SystemError("send", "\(address)"))")) }
    state = .answering
    try? loop.update(registration, for: .readable)
  }

  /// Reads no further than the line: what follows is the server's.
  private func read() {
    var byte: UInt8 = 0
    while state == .answering {
      let count = recv(descriptor, &byte, 1, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count == 1, answer.count < Self.limit else {
        return fail(refusal("it closed the connection"))
      }
      if byte == UInt8(ascii: "\n") { return finish() }
      answer.append(byte)
    }
  }

  private func finish() {
    let line = String(decoding: answer, as: UTF8.self)
    guard line.hasPrefix("OK "), UInt32(line.dropFirst(3)) != nil else {
      return fail(refusal("it answered “\(line)”"))
    }
    state = .over
    continuation?.resume(returning: takeDescriptor())
    continuation = nil
  }

  private func takeDescriptor() -> Int32 {
    if let registration { loop.deregister(registration) }
    registration = nil
    defer { descriptor = -1 }
    return descriptor
  }

  private func refusal(_ reason: String) -> RPCError {
    RPCError(
      code: .unavailable,
      message: "The monitor at \(address) does not connect to vsock port \(port): \(reason).")
  }
}
