import EventLoop
import GRPCCore
import Glibc

/// What keeps a process from listening, with the mend.
struct CannotListen: Error, CustomStringConvertible {
  /// One sentence for standard error.
  var description: String

  /// Explains what the system, or a server's transport for its sake, has failed with; nil where that is
  /// something else.
  init?(_ error: any Error) {
    let cause = (error as? RuntimeError)?.cause ?? error
    guard let cause = cause as? SystemError else { return nil }
    switch cause.code {
    case EADDRINUSE:
      description =
        "\(cause.subject) is in use: stop what listens there, or name another address with --listen"
    case EACCES, EPERM, EROFS:
      description =
        "it may not listen (\(cause)): let this user do so, or name another address with --listen"
    case ENOENT, ENOTDIR:
      description =
        "it cannot listen (\(cause)): make the folder, or name another address with --listen"
    default:
      description = "it cannot listen (\(cause))"
    }
  }
}
