import GRPCCore

extension Channel {
  /// Takes the resolver's word on the configuration. Without one that can be used the last one stays in force.
  func didResolve(_ config: Result<ServiceConfig, RPCError>?) {
    switch config {
    case .success(let config)?: adopt(config)
    case .failure?: break
    // Also where there was one before: its owner has taken it back.
    case nil: adopt(configuration.serviceConfig ?? ServiceConfig())
    }
    if methodConfigs == nil { methodConfigs = MethodConfigs(ServiceConfig()) }
  }

  /// Takes a service's configuration, in the place of a former one.
  func adopt(_ config: ServiceConfig) {
    guard config != serviceConfig else { return }
    let formerService = healthCheckedService
    let formerInterval = policy.loadReportInterval
    if config.loadBalancingConfig != (serviceConfig?.loadBalancingConfig ?? []) {
      // A policy that is not known makes the whole configuration one that cannot be used.
      guard var policy = try? makePolicy(for: config) else { return }
      policy.inherit(from: self.policy)
      if type(of: policy) != type(of: self.policy) { formerPolicyCounters = [:] }
      self.policy = policy
    }
    let former = serviceConfig
    serviceConfig = config
    methodConfigs = MethodConfigs(config)
    // Tokens that are used up stay so for as long as the rule is the same.
    if former?.retryThrottling != config.retryThrottling {
      throttle = config.retryThrottling.map { RetryThrottle($0) }
    }
    // Streams of health and of load go on for as long as they are the ones that are wanted.
    for subchannel in (endpoints ?? []).flatMap(\.subchannels) {
      if healthCheckedService != formerService { subchannel.checkHealth() }
      if policy.loadReportInterval != formerInterval { subchannel.readLoad() }
    }
    published.withLock {
      $0.config = config
      $0.throttle = throttle
    }
  }

  /// A policy as a service's configuration wants it, that remembers nothing.
  ///
  /// - Throws: `RuntimeError` if the policy is not known.
  func makePolicy(for config: ServiceConfig?) throws -> any LoadBalancingPolicy {
    guard let policies = config?.loadBalancingConfig, !policies.isEmpty else {
      return configuration.loadBalancing
    }
    return try configuration.loadBalancingPolicies.policy(for: policies)
  }

  /// Whose health decides whether a server gets calls; nil if none does. With pick_first there is no choice to make.
  var healthCheckedService: String? {
    type(of: policy).name == PickFirst.name ? nil : serviceConfig?.healthCheckServiceName
  }

  /// What threads besides the loop's may see of the configuration.
  struct PublishedConfig: Sendable {
    var config: ServiceConfig?
    var throttle: RetryThrottle?
  }
}
