/// Names a method of a service.
public struct MethodDescriptor: Sendable, Hashable {
  /// The service that the method belongs to.
  public var service: ServiceDescriptor
  /// The method's name, without the service.
  public var method: String
  /// How many messages go each way, where that is known.
  public var type: RPCType?

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - service: The service that the method belongs to.
  ///   - method: The method's name, without the service.
  ///   - type: How many messages go each way, where that is known.
  public init(service: ServiceDescriptor, method: String, type: RPCType? = nil) {
    self.service = service
    self.method = method
    self.type = type
  }

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - fullyQualifiedService: The service's name with its package.
  ///   - method: The method's name, without the service.
  ///   - type: How many messages go each way, where that is known.
  public init(fullyQualifiedService: String, method: String, type: RPCType? = nil) {
    self.init(
      service: ServiceDescriptor(fullyQualifiedService: fullyQualifiedService), method: method,
      type: type)
  }

  /// The service's name with its package, a slash, and the method's.
  public var fullyQualifiedMethod: String {
    "\(service.fullyQualifiedService)/\(method)"
  }

  /// Whether two descriptors name the same method.
  public static func == (lhs: MethodDescriptor, rhs: MethodDescriptor) -> Bool {
    lhs.method == rhs.method && lhs.service == rhs.service
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(service)
    hasher.combine(method)
  }
}

extension MethodDescriptor: CustomStringConvertible {
  /// The fully qualified name.
  public var description: String { fullyQualifiedMethod }
}

extension MethodDescriptor {
  /// How many messages go each way in a call.
  public enum RPCType: Sendable, Hashable, CaseIterable {
    /// One request, one response.
    case unary
    /// Any number of requests, one response.
    case clientStreaming
    /// One request, any number of responses.
    case serverStreaming
    /// Any number both ways.
    case bidirectionalStreaming

    /// Whether there is any number of requests.
    public var isRequestStreaming: Bool {
      self == .clientStreaming || self == .bidirectionalStreaming
    }

    /// Whether there is any number of responses.
    public var isResponseStreaming: Bool {
      self == .serverStreaming || self == .bidirectionalStreaming
    }
  }
}
