import GRPCCore

extension RPCError.Code {
  /// Whether the same call may succeed a little later: the other side could not be reached, or was
  /// not able to answer just then.
  var isTransient: Bool {
    switch self {
    case .unavailable, .deadlineExceeded, .resourceExhausted, .aborted, .cancelled, .internalError,
      .unknown:
      true
    default:
      false
    }
  }
}
