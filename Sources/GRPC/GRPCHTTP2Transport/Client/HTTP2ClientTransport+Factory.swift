import EventLoop
import GRPCCore

extension ClientTransport where Self == HTTP2ClientTransport {
  /// HTTP/2 to a target.
  ///
  /// - Parameters:
  ///   - target: What to connect to.
  ///   - transportSecurity: How connections are protected.
  ///   - config: How to connect, and what to allow.
  ///   - serviceConfig: What to do with the service's calls unless its resolver says so; `config`'s if nil.
  ///   - eventLoops: One of these loops carries the channel.
  /// - Returns: A client's transport.
  /// - Throws: `RuntimeError` with code `invalidArgument` if no resolver is registered for the target, a
  ///   certificate or key is of no use, or a load-balancing policy of the service's configuration is unknown.
  public static func http2(
    target: any ResolvableTarget, transportSecurity: HTTP2ClientTransport.TransportSecurity,
    config: HTTP2ClientTransport.Configuration = .defaults, serviceConfig: ServiceConfig? = nil,
    eventLoops: EventLoopGroup = .shared
  ) throws(RuntimeError) -> HTTP2ClientTransport {
    var configuration = config
    if let serviceConfig { configuration.serviceConfig = serviceConfig }
    return try HTTP2ClientTransport(
      target: target, transportSecurity: transportSecurity, configuration: configuration,
      eventLoops: eventLoops)
  }
}
