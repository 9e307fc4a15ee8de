/// When a call that failed is made again, and after which wait.
///
/// See gRPC's proposal A6.
public struct RetryPolicy: Sendable, Hashable {
  /// How often the call may be made in all, the first time included; more than five count as five.
  public var maxAttempts: Int
  /// The wait before the first retry, before jitter.
  public var initialBackoff: Duration
  /// The longest wait, before jitter.
  public var maxBackoff: Duration
  /// What each further wait is multiplied by.
  public var backoffMultiplier: Double
  /// The codes with which a failed call is made again.
  public var retryableStatusCodes: Set<Status.Code>

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - maxAttempts: How often the call may be made in all, the first time included.
  ///   - initialBackoff: The wait before the first retry, before jitter.
  ///   - maxBackoff: The longest wait, before jitter.
  ///   - backoffMultiplier: What each further wait is multiplied by.
  ///   - retryableStatusCodes: The codes with which a failed call is made again.
  public init(
    maxAttempts: Int, initialBackoff: Duration, maxBackoff: Duration, backoffMultiplier: Double,
    retryableStatusCodes: Set<Status.Code>
  ) {
    self.maxAttempts = maxAttempts
    self.initialBackoff = initialBackoff
    self.maxBackoff = maxBackoff
    self.backoffMultiplier = backoffMultiplier
    self.retryableStatusCodes = retryableStatusCodes
  }
}

extension RetryPolicy: Codable {
  private enum CodingKeys: String, CodingKey {
    case maxAttempts, initialBackoff, maxBackoff, backoffMultiplier, retryableStatusCodes
  }

  /// Reads a policy from its canonical JSON.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    maxAttempts = try fields.decode(Int.self, forKey: .maxAttempts)
    try fields.require(maxAttempts >= 2, .maxAttempts, "must be 2 or more")
    initialBackoff = try fields.decode(JSONDuration.self, forKey: .initialBackoff).duration
    try fields.require(initialBackoff > .zero, .initialBackoff, "must be more than 0s")
    maxBackoff = try fields.decode(JSONDuration.self, forKey: .maxBackoff).duration
    try fields.require(maxBackoff > .zero, .maxBackoff, "must be more than 0s")
    backoffMultiplier = try fields.decode(Double.self, forKey: .backoffMultiplier)
    try fields.require(backoffMultiplier > 0, .backoffMultiplier, "must be more than 0")
    retryableStatusCodes = Set(
      try fields.decode([JSONStatusCode].self, forKey: .retryableStatusCodes).map(\.code))
    try fields.require(!retryableStatusCodes.isEmpty, .retryableStatusCodes, "must name a code")
  }

  /// Writes the policy as canonical JSON.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(maxAttempts, forKey: .maxAttempts)
    try fields.encode(JSONDuration(initialBackoff), forKey: .initialBackoff)
    try fields.encode(JSONDuration(maxBackoff), forKey: .maxBackoff)
    try fields.encode(backoffMultiplier, forKey: .backoffMultiplier)
    try fields.encode(JSONStatusCode.list(retryableStatusCodes), forKey: .retryableStatusCodes)
  }
}
