import CLinux

/// What a descriptor is ready for, and what a registration waits for.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// The bits as epoll has them.
  public var rawValue: UInt32

  /// Makes a set from epoll's bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// There is something to read, or to accept.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  /// There is room to write, or a connect has finished.
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer has closed its writing side.
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// Both sides are closed. Always waited for.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// The descriptor has an error to fetch. Always waited for.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}
