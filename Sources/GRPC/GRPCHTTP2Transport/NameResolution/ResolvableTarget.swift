/// Something that a resolver finds endpoints for.
///
/// A type of your own takes part when a ``NameResolverFactory`` for it is registered with the channel.
public protocol ResolvableTarget: Sendable {}

/// The targets that every channel knows.
public enum ResolvableTargets: Sendable {}
