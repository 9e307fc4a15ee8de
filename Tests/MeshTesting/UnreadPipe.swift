import CLinux
import Foundation
import Glibc
import KartTesting

/// A named pipe that nobody reads: once it is full, it blocks who writes to it.
package final class UnreadPipe: Sendable {
  private let folder = TemporaryFolder()
  private let descriptor: Int32

  package var path: String { folder.file("pipe") }

  package init() throws {
    let path = folder.file("pipe")
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    // With a reader, or nobody could open it.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  package var isFull: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
  }

  package func fill() {
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, bytes, bytes.count) > 0 {}
  }
}
