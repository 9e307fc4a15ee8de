import EventLoop
import GRPCCore

@testable import GRPCHTTP2Transport

/// A server of ours for the calls of ``EchoClient``, which also says who its client is.
enum EchoServer {
  static func with<Result: Sendable>(
    _ address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0),
    security: HTTP2ServerTransport.TransportSecurity = .plaintext,
    configuration: HTTP2ServerTransport.Configuration = .defaults,
    _ body: (SocketAddress) async throws -> Result
  ) async throws -> Result {
    let transport = HTTP2ServerTransport(
      listeningOn: address, transportSecurity: security, configuration: configuration)
    let router = router()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await transport.listen(router: router) }
      let result = try await body(try await transport.listeningAddress)
      transport.beginGracefulShutdown()
      try await group.waitForAll()
      return result
    }
  }

  static func router() -> RPCRouter<HTTP2ServerTransport> {
    var router = RPCRouter<HTTP2ServerTransport>()
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Unary"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, context in
      var metadata: Metadata = [:]
      switch context.peer {
      case .certificate(let certificate)?: metadata.addString(certificate.subject, forKey: "peer")
      case .process?: metadata.addString("process", forKey: "peer")
      default: break
      }
      return ServerResponse(message: request.message, metadata: metadata)
    }
    router.registerHandler(
      forMethod: EchoClient.method("Bidi"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      StreamingServerResponse { writer in
        for try await message in request.messages { try await writer.write(message) }
        return [:]
      }
    }
    return router
  }
}
