import GRPCCore

/// The load-balancing policies that a service config may name.
public struct LoadBalancingPolicyRegistry: Sendable {
  /// Makes a policy of its configuration; the registry makes its children.
  ///
  /// It throws `RuntimeError` with code `invalidArgument` for a configuration that it does not understand.
  public typealias Factory =
    @Sendable (
      _ configuration: JSONValue, _ registry: LoadBalancingPolicyRegistry
    ) throws(RuntimeError) -> any LoadBalancingPolicy

  private var factories: [String: Factory] = [:]

  /// Makes an empty registry.
  public init() {}

  /// Adds a policy, in the place of one of the same name.
  ///
  /// - Parameters:
  ///   - name: The policy's name in a service config.
  ///   - factory: Makes the policy.
  public mutating func register(_ name: String, factory: @escaping Factory) {
    factories[name] = factory
  }

  /// Makes the first policy of a list that is known.
  ///
  /// - Parameter configs: The policies in the order in which to prefer them.
  /// - Returns: The policy.
  /// - Throws: `RuntimeError` with code `invalidArgument` if none is known, or its configuration is wrong.
  public func policy(
    for configs: [ServiceConfig.LoadBalancingConfig]
  ) throws(RuntimeError) -> any LoadBalancingPolicy {
    for config in configs {
      if let factory = factories[config.name] { return try factory(config.configuration, self) }
    }
    let names = configs.map { "“\($0.name)”" }.joined(separator: ", ")
    throw RuntimeError(
      code: .invalidArgument,
      message: configs.isEmpty
        ? "A list of load-balancing policies is empty; name round_robin or another."
        : "No load-balancing policy \(names) is known; name round_robin or another.")
  }
}

extension LoadBalancingPolicyRegistry {
  /// A registry of all policies that every channel knows.
  public static var defaults: LoadBalancingPolicyRegistry {
    var registry = LoadBalancingPolicyRegistry()
    registry.register(PickFirst.name) { json, _ throws(RuntimeError) in
      let fields = PolicyFields(PickFirst.name, json)
      return try fields.bool("shuffleAddressList") == true
        ? PickFirst(shufflingWith: SystemRandomNumberGenerator()) : PickFirst()
    }
    registry.register(RoundRobin.name) { _, _ in RoundRobin() }
    registry.register(LeastRequest.name) { json, _ throws(RuntimeError) in
      let fields = PolicyFields(LeastRequest.name, json)
      return LeastRequest(choiceCount: try fields.integer("choiceCount", 2...Int.max) ?? 2)
    }
    // The name that proposal A48 began with.
    registry.register("least_request_experimental") { json, registry throws(RuntimeError) in
      try registry.policy(for: [
        ServiceConfig.LoadBalancingConfig(name: LeastRequest.name, configuration: json)
      ])
    }
    registry.register(RingHash.name) { json, _ throws(RuntimeError) in
      let fields = PolicyFields(RingHash.name, json)
      return RingHash(
        header: try fields.string("requestHashHeader") ?? "",
        minRingSize: try fields.integer("minRingSize", 1...8_388_608) ?? 1024,
        maxRingSize: try fields.integer("maxRingSize", 1...8_388_608) ?? 4096)
    }
    registry.register(OutlierDetection.name) { json, registry throws(RuntimeError) in
      let fields = PolicyFields(OutlierDetection.name, json)
      return OutlierDetection(
        try OutlierDetection.Settings(fields), child: try fields.child(registry))
    }
    registry.register(WeightedRoundRobin.name) { json, _ throws(RuntimeError) in
      let fields = PolicyFields(WeightedRoundRobin.name, json)
      var settings = WeightedRoundRobin.Settings()
      settings.blackoutPeriod = try fields.duration("blackoutPeriod") ?? settings.blackoutPeriod
      settings.weightExpirationPeriod =
        try fields.duration("weightExpirationPeriod") ?? settings.weightExpirationPeriod
      settings.weightUpdatePeriod =
        try fields.duration("weightUpdatePeriod") ?? settings.weightUpdatePeriod
      settings.errorUtilizationPenalty =
        try fields.number("errorUtilizationPenalty") ?? settings.errorUtilizationPenalty
      if try fields.bool("enableOobLoadReport") == true {
        settings.outOfBandReportInterval =
          try fields.duration("oobReportingPeriod") ?? .seconds(10)
      }
      return WeightedRoundRobin(settings)
    }
    registry.register(RandomSubsetting.name) { json, registry throws(RuntimeError) in
      let fields = PolicyFields(RandomSubsetting.name, json)
      guard let size = try fields.integer("subsetSize", 1...Int(UInt32.max)) else {
        throw fields.mistake("subsetSize", "is missing")
      }
      return RandomSubsetting(size: size, child: try fields.child(registry))
    }
    registry.register(PriorityFailover.name) { json, registry throws(RuntimeError) in
      let fields = PolicyFields(PriorityFailover.name, json)
      let child = try fields.child(registry)
      return PriorityFailover { child }
    }
    return registry
  }
}
