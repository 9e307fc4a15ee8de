import GRPCHTTP2Transport
import Glibc

/// Where a process listens, as `--listen` says it.
package enum ListeningAddress: Hashable, Sendable, CustomStringConvertible {
  /// At an address.
  case socket(SocketAddress)
  /// At a socket of its own, named after this host, in a folder that clients watch. So replicas in
  /// containers, which have host names of their own, are all told the same.
  case folder(UnixSocketFolder)
  /// At the sockets that a service manager has bound for this process.
  case inherited

  /// Reads what is written for it: a socket's address, or `unix-dir:FOLDER`.
  ///
  /// - Parameter text: Such as `unix:/run/kart/x.sock`, `unix-dir:/run/kart/trackers` or `systemd`.
  package init?(parsing text: String) {
    if text == "systemd" {
      self = .inherited
    } else if let target = try? TargetName(text).target as? ResolvableTargets.UnixDirectory {
      self = .folder(UnixSocketFolder(path: target.path))
    } else if let address = try? SocketAddress(parsing: text) {
      self = .socket(address)
    } else {
      return nil
    }
  }

  /// The address itself; nil for sockets that are bound already.
  ///
  /// - Parameter host: The name of this host.
  package func address(onHost host: String = Self.hostName) -> SocketAddress? {
    switch self {
    case .socket(let address): address
    case .folder(let folder): folder.socket(named: host)
    case .inherited: nil
    }
  }

  /// As it is written.
  package var description: String {
    switch self {
    case .socket(let address): "\(address)"
    case .folder(let folder): "unix-dir:\(folder.path)"
    case .inherited: "systemd"
    }
  }

  /// The name of this host, which for a container is its id unless it was given another.
  package static var hostName: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
      guard let start = name.baseAddress, gethostname(start, name.count) == 0 else {
        return "localhost"
      }
      name[name.count - 1] = 0
      return String(cString: start)
    }
  }
}
