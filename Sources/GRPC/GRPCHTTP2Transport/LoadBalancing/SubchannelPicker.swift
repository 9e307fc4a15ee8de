import GRPCCore

/// Chooses the subchannel of each call: an immutable snapshot of a policy's last decision.
///
/// A pick must neither block nor allocate: it is on the path of every call.
public protocol SubchannelPicker: Sendable {
  /// Chooses a subchannel.
  ///
  /// - Parameter call: What is known of the call.
  /// - Returns: The subchannel, or what the call must do without one.
  func pick(_ call: PickContext) -> PickResult
}

/// What a picker may look at.
public struct PickContext: Sendable {
  /// The method that is called.
  public var method: MethodDescriptor

  /// The call's metadata.
  public var metadata: Metadata

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - method: The method that is called.
  ///   - metadata: The call's metadata.
  public init(method: MethodDescriptor, metadata: Metadata) {
    self.method = method
    self.metadata = metadata
  }
}

/// What a picker chose for a call.
public struct PickResult: Sendable {
  enum Choice: Sendable {
    case subchannel(SubchannelID)
    case wait
    case fail(RPCError)
  }

  let choice: Choice

  /// Sends the call over a subchannel, which must have been ready when the picker was made.
  ///
  /// - Parameter id: The subchannel.
  /// - Returns: The result.
  public static func subchannel(_ id: SubchannelID) -> PickResult {
    PickResult(choice: .subchannel(id))
  }

  /// Keeps the call until the next picker; an idle channel connects.
  public static var wait: PickResult { PickResult(choice: .wait) }

  /// Fails the call, unless it waits for ready.
  ///
  /// - Parameter error: The call's error.
  /// - Returns: The result.
  public static func fail(_ error: RPCError) -> PickResult { PickResult(choice: .fail(error)) }
}

/// Always chooses the same.
struct FixedPicker: SubchannelPicker {
  let result: PickResult

  init(_ result: PickResult) {
    self.result = result
  }

  func pick(_ call: PickContext) -> PickResult { result }
}
