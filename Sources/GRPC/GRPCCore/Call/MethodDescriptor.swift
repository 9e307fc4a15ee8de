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

/// How many messages go each way in a call.
public struct RPCType: Sendable, Hashable {
  private enum Kind { case unary, clientStreaming, serverStreaming, bidirectionalStreaming }
  private let kind: Kind

  /// One request, one response.
  public static let unary = Self(kind: .unary)
  /// Any number of requests, one response.
  public static let clientStreaming = Self(kind: .clientStreaming)
  /// One request, any number of responses.
  public static let serverStreaming = Self(kind: .serverStreaming)
  /// Any number both ways.
  public static let bidirectionalStreaming = Self(kind: .bidirectionalStreaming)
}
