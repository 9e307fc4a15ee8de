import EventLoop
import GRPCCore

extension ClientTransport where Self == HTTP2ClientTransport {
  /// HTTP/2 to a target.
  ///
  /// - Parameters:
  ///   - target: What to connect to.
  ///   - transportSecurity: How connections are protected.
  ///   - config: How to connect, and what to allow.
  ///   - eventLoops: One of these loops carries the channel.
  /// - Returns: A client's transport.
  /// - Throws: `RuntimeError` with code `invalidArgument` if no resolver is registered for the target, or a
  ///   certificate or key is of no use.
  public static func http2(
    target: any ResolvableTarget, transportSecurity: HTTP2ClientTransport.TransportSecurity,
    config: HTTP2ClientTransport.Configuration = .defaults, eventLoops: EventLoopGroup = .shared
  ) throws(RuntimeError) -> HTTP2ClientTransport {
    try HTTP2ClientTransport(
      target: target, transportSecurity: transportSecurity, configuration: config,
      eventLoops: eventLoops)
  }
}
