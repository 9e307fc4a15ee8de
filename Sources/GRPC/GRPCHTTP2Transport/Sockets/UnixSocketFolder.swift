import EventLoop
import Glibc

/// A folder in which servers bind sockets of their own, for clients with a `unix-dir:` target.
public struct UnixSocketFolder: Hashable, Sendable {
  /// The folder.
  public var path: String

  /// Makes the value; the folder itself is made by ``prepare()``.
  ///
  /// - Parameter path: The folder.
  public init(path: String) {
    self.path = path
  }

  /// The address of one server's socket in the folder.
  ///
  /// - Parameter name: What tells the server from the others, without a slash.
  /// - Returns: The address, of a file whose name clients look for.
  public func socket(named name: String) -> SocketAddress {
    .unixDomainSocket(path: "\(path)/\(name).sock")
  }

  /// Makes the folder where there is none, in a folder that exists, and removes the sockets that
  /// killed servers have left in it: one that was replaced by a server of another name never comes
  /// back for its own.
  ///
  /// - Throws: ``SystemError`` where the folder can't be made.
  public func prepare() throws {
    guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw SystemError("mkdir", path) }
    for endpoint in SocketFolder(path: path).endpoints() {
      for case let socket? in endpoint.addresses.map(\.unixDomainSocket) {
        UnixSocketFile.removeIfAbandoned(socket.path)
      }
    }
  }
}
