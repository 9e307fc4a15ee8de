import CLinux
import EventLoop
import Glibc

/// A connected socket that somebody else has made.
enum ConnectedSocket {
  /// Checks that a descriptor is a connected stream socket, and makes it usable on an event loop.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which is left open if this throws.
  ///   - kind: What it is called in the error.
  /// - Throws: ``SystemError`` naming the descriptor.
  static func prepare(_ descriptor: Int32, called kind: String = "descriptor") throws(SystemError) {
    let name = "\(kind) \(descriptor)"
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      throw SystemError("adopt", name)
    }
    guard type == Int32(SOCK_STREAM.rawValue) else {
      throw SystemError("adopt", name, code: EPROTOTYPE)
    }
    guard SocketAddressStorage.filled(by: { getpeername(descriptor, $0, $1) }).result == 0 else {
      throw SystemError("adopt", name)
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemError("adopt", name) }
  }
}
