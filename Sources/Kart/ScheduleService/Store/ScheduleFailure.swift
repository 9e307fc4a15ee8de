import GRPCCore

/// Why the schedule refuses a change.
enum ScheduleFailure: Error, Hashable, RPCErrorConvertible {
  case notFound(name: String)
  case alreadyExists(name: String)

  var rpcErrorCode: RPCError.Code {
    switch self {
    case .notFound: .notFound
    case .alreadyExists: .alreadyExists
    }
  }

  var rpcErrorMessage: String {
    switch self {
    case .notFound(let name): "There is no race \"\(name)\"."
    case .alreadyExists(let name): "There is a race \"\(name)\" already; update it instead."
    }
  }
}
