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

  /// What calls that are to go to the same server have in common, as their options say it.
  public var requestHashKey: String?

  /// Makes a context.
  ///
  /// - Parameters:
  ///   - method: The method that is called.
  ///   - metadata: The call's metadata.
  ///   - requestHashKey: What calls that are to go to the same server have in common.
  public init(method: MethodDescriptor, metadata: Metadata, requestHashKey: String? = nil) {
    self.method = method
    self.metadata = metadata
    self.requestHashKey = requestHashKey
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
  /// Who is told of the call: the picker that chose, and one that watches it.
  private(set) var tracker: (any CallTracker)?
  private(set) var observer: (any CallTracker)?

  /// Sends the call over a subchannel, which must have been ready when the picker was made.
  ///
  /// - Parameters:
  ///   - id: The subchannel.
  ///   - tracker: Is told of the call's beginning and end.
  /// - Returns: The result.
  public static func subchannel(
    _ id: SubchannelID, tracker: (any CallTracker)? = nil
  ) -> PickResult {
    PickResult(choice: .subchannel(id), tracker: tracker)
  }

  /// The same choice, of whose call one more is told.
  ///
  /// - Parameter observer: Is told of the call's beginning and end.
  /// - Returns: The result.
  public func observed(by observer: any CallTracker) -> PickResult {
    var result = self
    // A third one is rare enough for an object of its own.
    result.observer = self.observer.map { TrackerPair($0, observer) } ?? observer
    return result
  }

  /// Keeps the call until the next picker; an idle channel connects.
  public static var wait: PickResult { PickResult(choice: .wait) }

  /// Fails the call, unless it waits for ready.
  ///
  /// - Parameter error: The call's error.
  /// - Returns: The result.
  public static func fail(_ error: RPCError) -> PickResult { PickResult(choice: .fail(error)) }
}

/// Tells two of a call.
private final class TrackerPair: CallTracker {
  private let first: any CallTracker
  private let second: any CallTracker

  init(_ first: any CallTracker, _ second: any CallTracker) {
    self.first = first
    self.second = second
  }

  func callDidStart() {
    first.callDidStart()
    second.callDidStart()
  }

  func callDidEnd(_ outcome: CallOutcome) {
    first.callDidEnd(outcome)
    second.callDidEnd(outcome)
  }
}

/// Always chooses the same.
struct FixedPicker: SubchannelPicker {
  let result: PickResult

  init(_ result: PickResult) {
    self.result = result
  }

  func pick(_ call: PickContext) -> PickResult { result }
}
