import GRPCCore

extension RPCError {
  /// The error of a call that did not get as far as a server, because of an error of the channel's resolver or its
  /// load-balancing policy.
  ///
  /// Codes that tell of the request itself are the service's own to use. See gRPC's proposal A54.
  var ofChannel: RPCError {
    switch code {
    case .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .aborted, .outOfRange,
      .dataLoss:
      RPCError(
        code: .internalError,
        message: "The channel failed with \(code), which is for services to use: \(message)",
        cause: self)
    default: self
    }
  }
}
