import EventLoop
import GRPCCore

extension ServerTransport where Self == HTTP2ServerTransport {
  /// HTTP/2 on one address.
  ///
  /// - Parameters:
  ///   - address: Where to listen; a port of 0 stands for any that is free.
  ///   - transportSecurity: How connections are protected.
  ///   - config: The limits.
  ///   - eventLoops: The loops that the connections are spread over.
  /// - Returns: A server's transport.
  public static func http2(
    address: SocketAddress, transportSecurity: HTTP2ServerTransport.TransportSecurity,
    config: HTTP2ServerTransport.Configuration = .defaults, eventLoops: EventLoopGroup = .shared
  ) -> HTTP2ServerTransport {
    HTTP2ServerTransport(
      listeningOn: address, transportSecurity: transportSecurity, configuration: config,
      eventLoops: eventLoops)
  }
}
