/// The resolver factories that a channel may use, one for each type of target.
public struct NameResolverRegistry: Sendable {
  private var factories: [ObjectIdentifier: any NameResolverFactory] = [:]

  /// Makes an empty registry.
  public init() {}

  /// How many factories the registry holds.
  public var count: Int { factories.count }

  /// Adds a factory, in the place of one for the same type of target.
  ///
  /// - Parameter factory: The factory.
  public mutating func registerFactory<Factory: NameResolverFactory>(_ factory: Factory) {
    factories[ObjectIdentifier(Factory.Target.self)] = factory
  }

  /// Removes the factory for a type of target.
  ///
  /// - Parameter type: The type of target.
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func removeFactory<Target: ResolvableTarget>(forTarget type: Target.Type) -> Bool
  {
    factories.removeValue(forKey: ObjectIdentifier(type)) != nil
  }

  /// Whether there is a factory for a target.
  ///
  /// - Parameter target: What to resolve.
  /// - Returns: Whether ``makeResolver(for:)`` makes a resolver.
  public func containsFactory(for target: some ResolvableTarget) -> Bool {
    factories[ObjectIdentifier(type(of: target))] != nil
  }

  /// Makes a resolver for a target.
  ///
  /// - Parameter target: What to resolve.
  /// - Returns: The resolver, or nil if no factory knows the target's type.
  public func makeResolver(for target: some ResolvableTarget) -> NameResolver? {
    factories[ObjectIdentifier(type(of: target))]?.resolver(ifAcceptable: target)
  }
}
