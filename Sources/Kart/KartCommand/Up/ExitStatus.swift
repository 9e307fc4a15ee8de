import Glibc

/// How a process ended.
enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case signalled(Int32)

  /// Reads what `waitpid` reports.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }

  var description: String {
    switch self {
    case .exited(let code): "exited with status \(code)"
    case .signalled(SIGKILL): "was killed"
    case .signalled(let signal): "was ended by signal \(signal)"
    }
  }
}
