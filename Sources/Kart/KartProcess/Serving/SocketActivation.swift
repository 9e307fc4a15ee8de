import Glibc

/// The sockets that a service manager has bound for this process (sd_listen_fds(3)).
enum SocketActivation {
  private static let firstDescriptor: Int32 = 3

  /// The descriptors of the sockets.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - process: The number of this process.
  /// - Throws: `UsageError` where no socket was handed over to this process.
  static func descriptors(
    environment: [String: String], process: pid_t = getpid()
  ) throws(UsageError) -> [Int32] {
    guard environment["LISTEN_PID"] == "\(process)",
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1024).contains(count)
    else {
      throw UsageError(
        "--listen systemd: no socket was handed over (see LISTEN_FDS in sd_listen_fds(3)); start this"
          + " with its .socket unit, or name an address")
    }
    return Array(firstDescriptor..<(firstDescriptor + count))
  }
}
