extension ServiceConfig {
  /// A load-balancing policy by its name, and what it is configured with.
  public struct LoadBalancingConfig: Sendable, Hashable {
    /// The policy's name, as `round_robin`.
    public var name: String
    /// The policy's own configuration, an object.
    public var configuration: JSONValue

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - name: The policy's name, as `round_robin`.
    ///   - configuration: The policy's own configuration.
    public init(name: String, configuration: JSONValue = .object([:])) {
      self.name = name
      self.configuration = configuration
    }

    /// Sends every call over the first address that can be connected to.
    ///
    /// - Parameter shuffleAddressList: Whether each client tries the addresses in an order of its own.
    public static func pickFirst(shuffleAddressList: Bool = false) -> Self {
      Self(
        name: "pick_first",
        configuration: .object(
          shuffleAddressList ? ["shuffleAddressList": .bool(true)] : [:]))
    }

    /// Spreads calls over all endpoints that are ready, in turn.
    public static var roundRobin: Self { Self(name: "round_robin") }
  }
}

extension ServiceConfig.LoadBalancingConfig: Codable {
  /// Reads an object with one key, the policy's name.
  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    guard case .object(let object) = value, object.count == 1,
      let (name, configuration) = object.first
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "A load-balancing policy is an object with one key, its name."))
    }
    self.init(name: name, configuration: configuration)
  }

  /// Writes an object with one key, the policy's name.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object([name: configuration]).encode(to: encoder)
  }
}
