import GRPCCore

/// Reads the fields of a load-balancing policy's configuration.
struct PolicyFields {
  private let policy: String
  private let json: JSONValue

  init(_ policy: String, _ json: JSONValue) {
    self.policy = policy
    self.json = json
  }

  func bool(_ name: String) throws(RuntimeError) -> Bool? {
    switch json[name] {
    case nil, .null: nil
    case .bool(let value): value
    default: throw mistake(name, "is neither true nor false")
    }
  }

  func string(_ name: String) throws(RuntimeError) -> String? {
    switch json[name] {
    case nil, .null: nil
    case .string(let value): value
    default: throw mistake(name, "is no text")
    }
  }

  func number(_ name: String) throws(RuntimeError) -> Double? {
    switch json[name] {
    case nil, .null: return nil
    case .number(let value) where value >= 0: return value
    default: throw mistake(name, "is no number from 0 on")
    }
  }

  func integer(_ name: String, _ range: ClosedRange<Int>) throws(RuntimeError) -> Int? {
    switch json[name] {
    case nil, .null: return nil
    case .number(let value):
      if let value = Int(exactly: value), range.contains(value) { return value }
    case .string(let text): if let value = Int(text), range.contains(value) { return value }
    default: break
    }
    throw mistake(name, "is no whole number from \(range.lowerBound) to \(range.upperBound)")
  }

  func duration(_ name: String) throws(RuntimeError) -> Duration? {
    guard let text = try string(name) else { return nil }
    guard let value = Duration(canonicalJSON: text), value >= .zero else {
      throw mistake(name, "is no duration as “1.5s”")
    }
    return value
  }

  func object(_ name: String) throws(RuntimeError) -> PolicyFields? {
    switch json[name] {
    case nil, .null: nil
    case .object(let object): PolicyFields(policy, .object(object))
    default: throw mistake(name, "is no object")
    }
  }

  /// The child policy, which must be there.
  func child(
    _ registry: LoadBalancingPolicyRegistry
  ) throws(RuntimeError) -> any LoadBalancingPolicy {
    guard case .array(let list) = json["childPolicy"] else {
      throw mistake("childPolicy", "is no list of policies")
    }
    var configs: [ServiceConfig.LoadBalancingConfig] = []
    for item in list {
      guard case .object(let object) = item, object.count == 1,
        let (name, configuration) = object.first
      else { throw mistake("childPolicy", "must hold objects with one key, the policy's name") }
      configs.append(
        ServiceConfig.LoadBalancingConfig(name: name, configuration: configuration))
    }
    return try registry.policy(for: configs)
  }

  func mistake(_ name: String, _ what: String) -> RuntimeError {
    RuntimeError(
      code: .invalidArgument, message: "The field “\(name)” of the policy \(policy) \(what).")
  }
}

extension OutlierDetection.Settings {
  init(_ fields: PolicyFields) throws(RuntimeError) {
    self.init()
    let percent = 0...100
    interval = try fields.duration("interval") ?? interval
    baseEjectionTime = try fields.duration("baseEjectionTime") ?? baseEjectionTime
    maxEjectionTime = try fields.duration("maxEjectionTime") ?? maxEjectionTime
    maxEjectionPercent = try fields.integer("maxEjectionPercent", percent) ?? maxEjectionPercent
    usesEjectedAsLastResort =
      try fields.bool("useEjectedAsLastResort") ?? usesEjectedAsLastResort
    acceptsRefusals = try fields.bool("acceptRefusals") ?? acceptsRefusals
    if let fields = try fields.object("successRateEjection") {
      var rule = SuccessRate()
      rule.stdevFactor = try fields.integer("stdevFactor", 0...Int.max) ?? rule.stdevFactor
      rule.enforcementPercentage =
        try fields.integer("enforcementPercentage", percent) ?? rule.enforcementPercentage
      rule.minimumHosts = try fields.integer("minimumHosts", 0...Int.max) ?? rule.minimumHosts
      rule.requestVolume = try fields.integer("requestVolume", 0...Int.max) ?? rule.requestVolume
      successRate = rule
    }
    if let fields = try fields.object("failurePercentageEjection") {
      var rule = FailurePercentage()
      rule.threshold = try fields.integer("threshold", percent) ?? rule.threshold
      rule.enforcementPercentage =
        try fields.integer("enforcementPercentage", percent) ?? rule.enforcementPercentage
      rule.minimumHosts = try fields.integer("minimumHosts", 0...Int.max) ?? rule.minimumHosts
      rule.requestVolume = try fields.integer("requestVolume", 0...Int.max) ?? rule.requestVolume
      failurePercentage = rule
    }
  }
}
