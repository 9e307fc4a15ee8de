import EventLoop
import GRPCCore

extension HTTP2ClientTransport {
  /// How a client's connections are protected.
  public struct TransportSecurity: Hashable, Sendable {
    /// Not at all: for Unix domain sockets, and for networks that are trusted.
    public static let plaintext = TransportSecurity()

    private init() {}
  }
}

extension ClientTransport where Self == HTTP2ClientTransport {
  /// HTTP/2 to a target.
  ///
  /// - Parameters:
  ///   - target: What to connect to.
  ///   - transportSecurity: How connections are protected.
  ///   - config: How to connect, and what to allow.
  ///   - eventLoops: One of these loops carries the channel.
  /// - Returns: A client's transport.
  /// - Throws: `RuntimeError` with code `invalidArgument` if no resolver is registered for the target.
  public static func http2(
    target: any ResolvableTarget, transportSecurity: HTTP2ClientTransport.TransportSecurity,
    config: HTTP2ClientTransport.Configuration = .defaults, eventLoops: EventLoopGroup = .shared
  ) throws(RuntimeError) -> HTTP2ClientTransport {
    try HTTP2ClientTransport(target: target, configuration: config, eventLoops: eventLoops)
  }
}
