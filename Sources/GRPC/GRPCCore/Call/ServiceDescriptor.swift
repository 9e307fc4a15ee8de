/// Names a service.
public struct ServiceDescriptor: Sendable, Hashable {
  /// The service's name with its package.
  public var fullyQualifiedService: String

  /// Creates a descriptor.
  ///
  /// - Parameter fullyQualifiedService: The service's name with its package.
  public init(fullyQualifiedService: String) {
    self.fullyQualifiedService = fullyQualifiedService
  }

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - package: The package; empty where there is none.
  ///   - service: The service's name in the package.
  public init(package: String, service: String) {
    fullyQualifiedService = package.isEmpty ? service : "\(package).\(service)"
  }

  /// The package; empty where there is none.
  public var package: String {
    guard let dot = fullyQualifiedService.lastIndex(of: ".") else { return "" }
    return String(fullyQualifiedService[..<dot])
  }

  /// The service's name in its package.
  public var service: String {
    guard let dot = fullyQualifiedService.lastIndex(of: ".") else { return fullyQualifiedService }
    return String(fullyQualifiedService[fullyQualifiedService.index(after: dot)...])
  }
}

extension ServiceDescriptor: CustomStringConvertible {
  /// The fully qualified name.
  public var description: String { fullyQualifiedService }
}
