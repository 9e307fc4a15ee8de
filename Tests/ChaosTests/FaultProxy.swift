import Foundation
import Glibc
import Synchronization

/// Stands between clients and a Unix socket, and does to what comes by what a bad network would.
final class FaultProxy: Sendable {
  enum Fault: Sendable {
    /// Each piece waits.
    case delay(milliseconds: Int)
    /// So many frames from the server come through, then what is no frame.
    case garbage(afterFrames: Int)
  }

  struct CannotListen: Error {
    var path: String
  }

  private let path: String
  private let listener: Int32
  private let fault: Fault
  private let sockets = Mutex<(open: [Int32], isClosed: Bool)>(([], false))

  init(at path: String, to target: String, fault: Fault) throws {
    self.path = path
    self.fault = fault
    // Bound and listening before it has its name, so that nobody is refused.
    let hidden = "\(target).proxy"
    listener = Self.socket()
    guard Self.with(hidden, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0,
      rename(hidden, path) == 0
    else { throw CannotListen(path: path) }
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        let server = Self.socket()
        guard Self.with(target, { connect(server, $0, $1) }) == 0, keep(client, server) else {
          Glibc.close(client)
          Glibc.close(server)
          continue
        }
        Thread.detachNewThread { [self] in pump(client, server, countsFrames: false) }
        Thread.detachNewThread { [self] in pump(server, client, countsFrames: true) }
      }
    }
  }

  /// Breaks every connection, and gives the name up.
  func close() {
    unlink(path)
    shutdown(listener, Int32(SHUT_RDWR))
    let open = sockets.withLock { sockets in
      sockets.isClosed = true
      return sockets.open
    }
    for socket in open { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  deinit {
    for socket in sockets.withLock({ $0.open }) + [listener] { Glibc.close(socket) }
  }

  private func keep(_ client: Int32, _ server: Int32) -> Bool {
    sockets.withLock { sockets in
      guard !sockets.isClosed else { return false }
      sockets.open += [client, server]
      return true
    }
  }

  private func pump(_ from: Int32, _ to: Int32, countsFrames: Bool) {
    var scanner = FrameCount()
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    defer {
      shutdown(from, Int32(SHUT_RDWR))
      shutdown(to, Int32(SHUT_RDWR))
    }
    while true {
      var count = recv(from, &bytes, bytes.count, 0)
      guard count > 0 else { return }
      var isOver = false
      switch fault {
      case .delay(let milliseconds): usleep(UInt32(milliseconds) * 1000)
      case .garbage(let limit) where countsFrames:
        // Whole frames only: what is inside of one has no check of its own.
        if let end = scanner.end(of: limit, in: bytes[..<count]) {
          count = end
          isOver = true
        }
      case .garbage: break
      }
      guard write(bytes[..<count], to: to) else { return }
      if isOver {
        _ = write([UInt8](repeating: 0xff, count: 64)[...], to: to)
        return
      }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func socket() -> Int32 {
    Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Finds where one of HTTP/2's frames ends in a stream of bytes.
private struct FrameCount {
  private var header: [UInt8] = []
  private var left = 0
  private var frames = 0

  /// The place at which so many frames have come by; nil if it is not in these bytes.
  mutating func end(of limit: Int, in bytes: ArraySlice<UInt8>) -> Int? {
    for (index, byte) in zip(bytes.indices, bytes) {
      if left > 0 {
        left -= 1
      } else {
        header.append(byte)
        guard header.count == 9 else { continue }
        left = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        header = []
      }
      guard left == 0, header.isEmpty else { continue }
      frames += 1
      if frames == limit { return index + 1 }
    }
    return nil
  }
}
