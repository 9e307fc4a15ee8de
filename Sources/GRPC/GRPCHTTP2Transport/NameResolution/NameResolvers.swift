import EventLoop

/// The resolvers that every channel knows.
public enum NameResolvers: Sendable {}

extension NameResolverRegistry {
  /// A registry of all resolvers that every channel knows.
  ///
  /// - Parameters:
  ///   - eventLoop: Where resolvers wait for changes.
  ///   - usesDNSServiceConfig: Whether a host's TXT records are looked for the service's configuration.
  /// - Returns: The registry.
  public static func defaults(
    eventLoop: EventLoop, usesDNSServiceConfig: Bool = false
  ) -> NameResolverRegistry {
    var registry = NameResolverRegistry()
    registry.registerFactory(NameResolvers.IPv4())
    registry.registerFactory(NameResolvers.IPv6())
    registry.registerFactory(NameResolvers.UnixDomainSocket(eventLoop: eventLoop))
    registry.registerFactory(NameResolvers.UnixDirectory(eventLoop: eventLoop))
    registry.registerFactory(NameResolvers.AbstractSocket())
    registry.registerFactory(NameResolvers.VirtualSocket())
    registry.registerFactory(NameResolvers.EndpointsFile(eventLoop: eventLoop))
    registry.registerFactory(NameResolvers.DNS(usesServiceConfig: usesDNSServiceConfig))
    return registry
  }
}
