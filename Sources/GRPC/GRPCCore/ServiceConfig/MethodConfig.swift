/// What holds for calls of certain methods, where their options do not say otherwise.
public struct MethodConfig: Sendable, Hashable {
  /// Which methods are meant.
  public struct Name: Sendable, Hashable {
    /// The service's name with its package; empty for the methods of all services.
    public var service: String
    /// The method's name; empty for all methods of the service.
    public var method: String

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - service: The service's name with its package; empty for the methods of all services.
    ///   - method: The method's name; empty for all methods of the service.
    public init(service: String, method: String = "") {
      self.service = service
      self.method = method
    }
  }

  /// The methods. One method's own name comes before its service's, and that before the name of all.
  public var names: [Name]
  /// Whether calls wait for a connection instead of failing where none can be had.
  public var waitForReady: Bool?
  /// How long a call may take. Of this and the call's own timeout the shorter one counts.
  public var timeout: Duration?
  /// How large a request message may be, in bytes. Of this and the call's own limit the lower one counts.
  public var maxRequestMessageBytes: Int?
  /// How large a response message may be, in bytes. Of this and the call's own limit the lower one counts.
  public var maxResponseMessageBytes: Int?
  /// How calls are made more than once, if they are.
  public var executionPolicy: RPCExecutionPolicy?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - names: The methods.
  ///   - waitForReady: Whether calls wait for a connection instead of failing where none can be had.
  ///   - timeout: How long a call may take.
  ///   - maxRequestMessageBytes: How large a request message may be, in bytes.
  ///   - maxResponseMessageBytes: How large a response message may be, in bytes.
  ///   - executionPolicy: How calls are made more than once, if they are.
  public init(
    names: [Name], waitForReady: Bool? = nil, timeout: Duration? = nil,
    maxRequestMessageBytes: Int? = nil, maxResponseMessageBytes: Int? = nil,
    executionPolicy: RPCExecutionPolicy? = nil
  ) {
    self.names = names
    self.waitForReady = waitForReady
    self.timeout = timeout
    self.maxRequestMessageBytes = maxRequestMessageBytes
    self.maxResponseMessageBytes = maxResponseMessageBytes
    self.executionPolicy = executionPolicy
  }
}

extension MethodConfig.Name: Codable {
  private enum CodingKeys: String, CodingKey {
    case service, method
  }

  /// Reads a name from its canonical JSON.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    service = try fields.decodeIfPresent(String.self, forKey: .service) ?? ""
    method = try fields.decodeIfPresent(String.self, forKey: .method) ?? ""
    try fields.require(
      !service.isEmpty || method.isEmpty, .method, "must not be named without a service")
  }

  /// Writes the name as canonical JSON.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    if !service.isEmpty { try fields.encode(service, forKey: .service) }
    if !method.isEmpty { try fields.encode(method, forKey: .method) }
  }
}

extension MethodConfig: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, waitForReady, timeout, maxRequestMessageBytes, maxResponseMessageBytes, retryPolicy
    case hedgingPolicy
  }

  /// Reads a configuration from its canonical JSON.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    names = try fields.decodeIfPresent([Name].self, forKey: .name) ?? []
    waitForReady = try fields.decodeIfPresent(Bool.self, forKey: .waitForReady)
    timeout = try fields.decodeIfPresent(JSONDuration.self, forKey: .timeout)?.duration
    maxRequestMessageBytes = try fields.decodeIfPresent(
      JSONUInt32.self, forKey: .maxRequestMessageBytes)?.value
    maxResponseMessageBytes = try fields.decodeIfPresent(
      JSONUInt32.self, forKey: .maxResponseMessageBytes)?.value
    let retry = try fields.decodeIfPresent(RetryPolicy.self, forKey: .retryPolicy)
    let hedging = try fields.decodeIfPresent(HedgingPolicy.self, forKey: .hedgingPolicy)
    try fields.require(
      retry == nil || hedging == nil, .hedgingPolicy, "must not stand beside a retryPolicy")
    executionPolicy = retry.map { .retry($0) } ?? hedging.map { .hedge($0) }
  }

  /// Writes the configuration as canonical JSON.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(names, forKey: .name)
    try fields.encodeIfPresent(waitForReady, forKey: .waitForReady)
    try fields.encodeIfPresent(timeout.map { JSONDuration($0) }, forKey: .timeout)
    try fields.encodeIfPresent(maxRequestMessageBytes, forKey: .maxRequestMessageBytes)
    try fields.encodeIfPresent(maxResponseMessageBytes, forKey: .maxResponseMessageBytes)
    try fields.encodeIfPresent(executionPolicy?.retry, forKey: .retryPolicy)
    try fields.encodeIfPresent(executionPolicy?.hedge, forKey: .hedgingPolicy)
  }
}
