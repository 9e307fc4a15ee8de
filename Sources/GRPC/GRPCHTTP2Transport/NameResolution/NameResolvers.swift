import EventLoop

/// The resolvers that every channel knows.
public enum NameResolvers: Sendable {}

extension NameResolverRegistry {
  /// A registry of all resolvers that every channel knows.
  ///
  /// - Parameter eventLoop: Where resolvers wait for changes.
  /// - Returns: The registry.
  public static func defaults(eventLoop: EventLoop) -> NameResolverRegistry {
    var registry = NameResolverRegistry()
    registry.registerFactory(NameResolvers.IPv4())
    registry.registerFactory(NameResolvers.IPv6())
    registry.registerFactory(NameResolvers.UnixDomainSocket(eventLoop: eventLoop))
    registry.registerFactory(NameResolvers.UnixDirectory(eventLoop: eventLoop))
    registry.registerFactory(NameResolvers.AbstractSocket())
    registry.registerFactory(NameResolvers.VirtualSocket())
    registry.registerFactory(NameResolvers.EndpointsFile(eventLoop: eventLoop))
    registry.registerFactory(NameResolvers.DNS())
    return registry
  }
}
