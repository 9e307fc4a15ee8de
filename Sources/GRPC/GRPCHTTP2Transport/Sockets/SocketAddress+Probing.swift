import CLinux
import EventLoop
import Glibc

extension SocketAddress {
  /// Binds the address for a moment, to find out whether a server could.
  ///
  /// - Returns: The address, with the port that was chosen if 0 was asked for.
  /// - Throws: ``SystemError`` or ``InvalidSocketAddress``, both naming the address.
  package func probed() throws -> SocketAddress {
    if let unix = unixDomainSocket {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { throw SystemError("socket", "\(self)") }
      defer { close(descriptor) }
      try UnixSocketFile(binding: descriptor, to: unix.path, backlog: 1).remove()
      return self
    }
    let storage = try SocketAddressStorage(self)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(storage.family, type, 0)
    guard descriptor >= 0 else { throw SystemError("socket", "\(self)") }
    defer { close(descriptor) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    // Two sockets may be bound to a port; only one may listen.
    guard storage.withSockaddr({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1) == 0 else {
      throw SystemError("bind", "\(self)")
    }
    return SocketAddressStorage.filled { getsockname(descriptor, $0, $1) }.address ?? self
  }
}
