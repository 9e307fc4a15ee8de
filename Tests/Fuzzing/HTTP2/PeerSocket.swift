import CLinux
import EventLoop
import Glibc

/// The peer's end of a connection.
struct PeerSocket {
  /// How many chunks are waited for one by one.
  private static let patience = 64

  let descriptor: Int32
  /// The loop of the other end.
  let loop: EventLoop

  /// Sends everything, lets the other end answer, says that there is no more, and reads until the
  /// other end has closed.
  func play(_ peer: PeerBytes) {
    peer.bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let chunk = UnsafeRawBufferPointer(
          rebasing: bytes[offset..<min(offset + peer.chunkSize, bytes.count)])
        // Fails once the other end has had enough.
        guard send(descriptor, chunk.baseAddress, chunk.count, Int32(MSG_NOSIGNAL)) > 0
        else { break }
        offset += chunk.count
        if offset <= Self.patience * peer.chunkSize { loop.turn() }
      }
    }
    for _ in 0..<4 { loop.turn() }
    shutdown(descriptor, Int32(SHUT_WR))
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &buffer, buffer.count) > 0 {}
    close(descriptor)
  }
}

extension EventLoop {
  /// Waits until the loop has taken in what has been sent to it, or done what that led to.
  func turn() {
    let turned = Signal()
    execute { turned.send() }
    turned.wait()
  }
}

/// Lets one thread wait for another, without a limit: libFuzzer has one.
final class Signal: Sendable {
  private let descriptor = eventfd(0, Int32(EFD_CLOEXEC))

  func send() { eventfd_write(descriptor, 1) }

  func wait() {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
  }

  /// Waits for this or for a client on a listening socket.
  ///
  /// - Returns: Whether it is a client.
  func wait(orForClientOf listener: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&descriptors, 2, -1) <= 0 {}
    guard descriptors[0].revents == 0 else {
      wait()
      return false
    }
    return true
  }

  deinit { close(descriptor) }
}
