import EventLoop
import GRPCCore
import KartTesting

@testable import GRPCHTTP2Transport

/// How a test's client reaches its server.
enum Route: CaseIterable, Sendable {
  case tcp
  case unix
  /// On the server's loop, so that nothing ever hops.
  case sameLoop
}

/// A client and a server of ours, over a real socket.
struct EchoCalls: Sendable {
  var route = Route.unix
  var serverSecurity = HTTP2ServerTransport.TransportSecurity.plaintext
  var clientSecurity = HTTP2ClientTransport.TransportSecurity.plaintext
  var server = HTTP2ServerTransport.Configuration.defaults
  var client = HTTP2ClientTransport.Configuration.defaults
  var services: [any RegistrableRPCService] = [EchoService()]
  var serverInterceptors: [any ServerInterceptor] = []
  var clientInterceptors: [any ClientInterceptor] = []

  func run<Result: Sendable>(
    _ body: @Sendable (EchoClient, HTTP2ServerTransport) async throws -> Result
  ) async throws -> Result {
    let folder = TemporaryFolder()
    let serverLoops = EventLoopGroup(count: 1)
    let clientLoops = route == .sameLoop ? serverLoops : EventLoopGroup(count: 1)
    let address: SocketAddress =
      route == .tcp
      ? .ipv4(host: "127.0.0.1", port: 0) : .unixDomainSocket(path: "\(folder.path)/echo.sock")
    let transport = HTTP2ServerTransport(
      listeningOn: address, transportSecurity: serverSecurity, configuration: server,
      eventLoops: serverLoops)
    let result = try await withGRPCServer(
      transport: transport, services: services, interceptors: serverInterceptors
    ) { _ in
      let listening = try await transport.listeningAddress
      let channel = try HTTP2ClientTransport(
        target: "\(listening)", transportSecurity: clientSecurity, configuration: client,
        eventLoops: clientLoops)
      return try await withGRPCClient(transport: channel, interceptors: clientInterceptors) {
        try await body(EchoClient(client: $0, transport: channel), transport)
      }
    }
    await serverLoops.shutdown()
    if clientLoops !== serverLoops { await clientLoops.shutdown() }
    return result
  }
}

/// A service of methods that a test fills in.
struct FilledService: RegistrableRPCService {
  typealias Unary =
    @Sendable (ServerRequest<[UInt8]>, ServerContext) async throws -> ServerResponse<[UInt8]>
  typealias Streaming =
    @Sendable (StreamingServerRequest<[UInt8]>, ServerContext) async throws
    -> StreamingServerResponse<[UInt8]>

  var unary: Unary?
  var bidirectional: Streaming?

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    if let unary {
      router.registerUnaryHandler(
        forMethod: EchoClient.method("Unary"), deserializer: ByteDeserializer(),
        serializer: ByteSerializer(), handler: unary)
    }
    if let bidirectional {
      router.registerHandler(
        forMethod: EchoClient.method("Bidi"), deserializer: ByteDeserializer(),
        serializer: ByteSerializer(), handler: bidirectional)
    }
  }
}
