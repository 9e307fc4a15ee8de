import CLinux
import Glibc

/// Who is at the other end of a Unix domain socket, as the kernel saw it when they connected.
public struct PeerCredentials: Hashable, Sendable {
  /// The process; 0 if it has no number here, as one in a container beside ours.
  public var processID: Int32
  /// Its effective user.
  public var userID: UInt32
  /// Its effective group.
  public var groupID: UInt32

  /// Reads them from a connected socket; nil if it is of another family.
  init?(of descriptor: Int32) {
    var credentials = peer_credentials()
    var length = socklen_t(MemoryLayout<peer_credentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      return nil
    }
    self.init(credentials)
  }

  init?(_ credentials: peer_credentials) {
    guard credentials.pid != 0 || credentials.uid != .max else { return nil }
    processID = credentials.pid
    userID = credentials.uid
    groupID = credentials.gid
  }
}
