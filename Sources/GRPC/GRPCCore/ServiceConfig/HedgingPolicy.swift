/// When a call is made again although the one before has not failed: the first good answer counts.
///
/// See gRPC's proposal A6.
public struct HedgingPolicy: Sendable, Hashable {
  /// How often the call may be made in all; more than five count as five.
  public var maxAttempts: Int
  /// How long to wait for an answer before the call is made once more; all are made at once if zero.
  public var hedgingDelay: Duration
  /// The codes with which a failure of one leaves the others going; any other ends the call.
  public var nonFatalStatusCodes: Set<Status.Code>

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - maxAttempts: How often the call may be made in all.
  ///   - hedgingDelay: How long to wait for an answer before the call is made once more.
  ///   - nonFatalStatusCodes: The codes with which a failure of one leaves the others going.
  public init(
    maxAttempts: Int, hedgingDelay: Duration, nonFatalStatusCodes: Set<Status.Code>
  ) {
    self.maxAttempts = maxAttempts
    self.hedgingDelay = hedgingDelay
    self.nonFatalStatusCodes = nonFatalStatusCodes
  }
}

extension HedgingPolicy: Codable {
  private enum CodingKeys: String, CodingKey {
    case maxAttempts, hedgingDelay, nonFatalStatusCodes
  }

  /// Reads a policy from its canonical JSON.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    maxAttempts = try fields.decode(Int.self, forKey: .maxAttempts)
    try fields.require(maxAttempts >= 2, .maxAttempts, "must be 2 or more")
    hedgingDelay =
      try fields.decodeIfPresent(JSONDuration.self, forKey: .hedgingDelay)?.duration ?? .zero
    nonFatalStatusCodes = Set(
      try fields.decodeIfPresent([JSONStatusCode].self, forKey: .nonFatalStatusCodes)?
        .map(\.code) ?? [])
  }

  /// Writes the policy as canonical JSON.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(maxAttempts, forKey: .maxAttempts)
    try fields.encode(JSONDuration(hedgingDelay), forKey: .hedgingDelay)
    try fields.encode(JSONStatusCode.list(nonFatalStatusCodes), forKey: .nonFatalStatusCodes)
  }
}
