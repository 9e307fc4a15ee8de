import GRPCCore
import KartProcess

/// Why the schedule refuses a change.
enum ScheduleFailure: Error, Hashable, RPCErrorConvertible {
  case notFound(name: String)
  case alreadyExists(name: String)
  /// More races were asked for than go into a message.
  case tooMany(asked: Int32, possible: Int)

  var rpcErrorCode: RPCError.Code {
    switch self {
    case .notFound: .notFound
    case .alreadyExists: .alreadyExists
    case .tooMany: .outOfRange
    }
  }

  var rpcErrorMessage: String {
    switch self {
    case .notFound(let name): "There is no race \(name.quotedName)."
    case .alreadyExists(let name): "There is a race \(name.quotedName) already; update it instead."
    case .tooMany(let asked, let possible):
      "\(asked) of these races are larger than a message may be: ask for a limit of \(possible)."
    }
  }
}
