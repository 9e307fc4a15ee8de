import GRPCCore

/// Is told of the calls that a picker has sent somewhere: how many there are, and how they end.
///
/// It is called on the channel's loop, in the path of every call, and so must neither block nor allocate.
public protocol CallTracker: AnyObject, Sendable {
  /// A call was sent.
  func callDidStart()

  /// A call has ended, or was taken back to be sent elsewhere.
  ///
  /// - Parameter outcome: How it went.
  func callDidEnd(_ outcome: CallOutcome)
}

/// How a call went, as its load-balancing policy sees it.
public struct CallOutcome: Sendable {
  /// The call's status code; nil if the server has not acted on it, or the caller has given it up.
  public var code: Status.Code?

  /// What the server said of its load at the end of the call, as ORCA has it.
  public var load: LoadReport?

  /// Makes an outcome.
  ///
  /// - Parameters:
  ///   - code: The call's status code; nil if the server has not acted on it, or the caller has given it up.
  ///   - load: What the server said of its load.
  public init(code: Status.Code?, load: LoadReport? = nil) {
    self.code = code
    self.load = load
  }
}
