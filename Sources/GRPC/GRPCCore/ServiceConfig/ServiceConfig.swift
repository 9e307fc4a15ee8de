/// What a service's owner wants of its clients: how they spread their calls, and how they make them.
///
/// See gRPC's "Service Config in gRPC", whose canonical JSON this is coded as. Keys that are not known are
/// passed over.
public struct ServiceConfig: Sendable, Hashable {
  /// What holds for calls of certain methods.
  public var methodConfig: [MethodConfig]
  /// The load-balancing policies in the order in which to prefer them; the first that is known counts.
  public var loadBalancingConfig: [LoadBalancingConfig]
  /// When to make no call again since too many fail.
  public var retryThrottling: RetryThrottling?
  /// Which of a server's services tells by its health whether the server gets calls; none if nil.
  public var healthCheckServiceName: String?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - methodConfig: What holds for calls of certain methods.
  ///   - loadBalancingConfig: The load-balancing policies in the order in which to prefer them.
  ///   - retryThrottling: When to make no call again since too many fail.
  ///   - healthCheckServiceName: Which of a server's services tells by its health whether the server gets calls.
  public init(
    methodConfig: [MethodConfig] = [], loadBalancingConfig: [LoadBalancingConfig] = [],
    retryThrottling: RetryThrottling? = nil, healthCheckServiceName: String? = nil
  ) {
    self.methodConfig = methodConfig
    self.loadBalancingConfig = loadBalancingConfig
    self.retryThrottling = retryThrottling
    self.healthCheckServiceName = healthCheckServiceName
  }

  /// When to make no call again since too many fail.
  ///
  /// Each failure takes a token, each success gives a part of one back; with half of the tokens gone no call is
  /// made again.
  public struct RetryThrottling: Sendable, Hashable {
    /// How many tokens there are at most, from 1 to 1000.
    public var maxTokens: Int
    /// Which part of a token each success gives back, more than 0; three decimal places count.
    public var tokenRatio: Double

    /// Creates a throttling.
    ///
    /// - Parameters:
    ///   - maxTokens: How many tokens there are at most, from 1 to 1000.
    ///   - tokenRatio: Which part of a token each success gives back, more than 0.
    /// - Throws: `RuntimeError` with code `invalidArgument` if a value is out of its range.
    public init(maxTokens: Int, tokenRatio: Double) throws(RuntimeError) {
      guard (1...1000).contains(maxTokens), tokenRatio >= 0.001, tokenRatio.isFinite else {
        throw RuntimeError(
          code: .invalidArgument,
          message: "A throttling has from 1 to 1000 tokens and a ratio of more than 0, and not"
            + " \(maxTokens) and \(tokenRatio).")
      }
      self.maxTokens = maxTokens
      self.tokenRatio = tokenRatio
    }
  }
}

extension ServiceConfig {
  /// What holds for calls of a method: the configuration of its own name, or else of its service's, or of all.
  ///
  /// - Parameter method: The method.
  /// - Returns: The configuration, if there is one.
  public func methodConfig(for method: MethodDescriptor) -> MethodConfig? {
    let service = method.service.fullyQualifiedService
    let names = [
      MethodConfig.Name(service: service, method: method.method),
      MethodConfig.Name(service: service), MethodConfig.Name(service: ""),
    ]
    for name in names {
      if let config = methodConfig.first(where: { $0.names.contains(name) }) { return config }
    }
    return nil
  }
}

extension ServiceConfig.RetryThrottling: Codable {
  private enum CodingKeys: String, CodingKey {
    case maxTokens, tokenRatio
  }

  /// Reads a throttling from its canonical JSON.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      maxTokens: try fields.decode(Int.self, forKey: .maxTokens),
      tokenRatio: try fields.decode(Double.self, forKey: .tokenRatio))
  }
}

extension ServiceConfig: Codable {
  private enum CodingKeys: String, CodingKey {
    case methodConfig, loadBalancingConfig, loadBalancingPolicy, retryThrottling, healthCheckConfig
  }

  private struct HealthCheckConfig: Codable {
    var serviceName: String?
  }

  /// Reads a configuration from its canonical JSON.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    methodConfig = try fields.decodeIfPresent([MethodConfig].self, forKey: .methodConfig) ?? []
    var names: Set<MethodConfig.Name> = []
    for name in methodConfig.flatMap(\.names) {
      try fields.require(
        names.insert(name).inserted, .methodConfig,
        "must name “\(name.service)/\(name.method)” once")
    }
    loadBalancingConfig =
      try fields.decodeIfPresent([LoadBalancingConfig].self, forKey: .loadBalancingConfig) ?? []
    if loadBalancingConfig.isEmpty,
      let name = try fields.decodeIfPresent(String.self, forKey: .loadBalancingPolicy)
    {
      // The older way, with an enumeration's names.
      loadBalancingConfig = [LoadBalancingConfig(name: name.lowercased())]
    }
    retryThrottling = try fields.decodeIfPresent(RetryThrottling.self, forKey: .retryThrottling)
    healthCheckServiceName = try fields.decodeIfPresent(
      HealthCheckConfig.self, forKey: .healthCheckConfig)?.serviceName
  }

  /// Writes the configuration as canonical JSON.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    if !methodConfig.isEmpty { try fields.encode(methodConfig, forKey: .methodConfig) }
    if !loadBalancingConfig.isEmpty {
      try fields.encode(loadBalancingConfig, forKey: .loadBalancingConfig)
    }
    try fields.encodeIfPresent(retryThrottling, forKey: .retryThrottling)
    if let healthCheckServiceName {
      try fields.encode(
        HealthCheckConfig(serviceName: healthCheckServiceName), forKey: .healthCheckConfig)
    }
  }
}
