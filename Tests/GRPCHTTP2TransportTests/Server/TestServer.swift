import EventLoop
import GRPCCore
import Synchronization

@testable import GRPCHTTP2Transport

/// A real server with a service of all kinds of methods, for tests of what it does to its clients.
///
/// `Unary`, `Collect`, `Expand` and `Bidi` are what ``EchoClient`` calls; `Hang` waits to be cancelled, `Quit`
/// cancels itself, and `Who` says who calls.
final class TestServer: Sendable {
  let transport: HTTP2ServerTransport
  let loops: EventLoopGroup
  /// Says something for each call of `Hang` that has begun, and for each that was cancelled; ends with ``listen()``.
  let hangs: AsyncStream<String>
  private let hangsContinuation: AsyncStream<String>.Continuation

  init(
    _ address: SocketAddress, _ configuration: HTTP2ServerTransport.Configuration,
    loops: EventLoopGroup
  ) {
    self.loops = loops
    (hangs, hangsContinuation) = AsyncStream.makeStream()
    transport = HTTP2ServerTransport(
      listeningOn: address, configuration: configuration, eventLoops: loops)
  }

  /// Serves while `body` runs, and then shuts down in good order.
  static func with(
    _ address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0),
    _ configuration: HTTP2ServerTransport.Configuration = .defaults, loops: Int = 1,
    _ body: (TestServer, SocketAddress) async throws -> Void
  ) async throws {
    let loops = EventLoopGroup(count: loops, name: "echo")
    let server = TestServer(address, configuration, loops: loops)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.listen() }
      do {
        try await body(server, try await server.transport.listeningAddress)
        server.transport.beginGracefulShutdown()
        try await group.waitForAll()
      } catch {
        group.cancelAll()
        throw error
      }
    }
    await loops.shutdown()
  }

  /// The same while another client, on a connection of its own, calls all the time and must not notice a thing.
  static func withBystander(
    _ configuration: HTTP2ServerTransport.Configuration = .defaults,
    _ body: (TestServer, SocketAddress) async throws -> Void
  ) async throws {
    try await with(.ipv4(host: "127.0.0.1", port: 0), configuration) { server, address in
      let transport = try HTTP2ClientTransport(target: "\(address)")
      try await withGRPCClient(transport: transport) { client in
        let echo = EchoClient(client: client)
        _ = try await echo.echo([0])
        let isOver = Atomic(false)
        async let calls = Self.callAllTheTime(echo) { isOver.load(ordering: .relaxed) }
        do {
          try await body(server, address)
        } catch {
          isOver.store(true, ordering: .relaxed)
          throw error
        }
        isOver.store(true, ordering: .relaxed)
        _ = try await calls
        _ = try await echo.echo([1])
      }
    }
  }

  private static func callAllTheTime(
    _ echo: EchoClient, until isOver: () -> Bool
  ) async throws -> Int {
    var calls = 0
    var options = CallOptions.defaults
    // Far more than a call takes whatever else the machine does.
    options.timeout = .seconds(20)
    while !isOver() {
      _ = try await echo.echo([UInt8(truncatingIfNeeded: calls)], options: options)
      calls += 1
    }
    return calls
  }

  func listen() async throws {
    defer { hangsContinuation.finish() }
    try await transport.listen(router: router)
  }

  private var router: RPCRouter<HTTP2ServerTransport> {
    var router = RPCRouter<HTTP2ServerTransport>()
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Unary"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      ServerResponse(message: request.message, metadata: request.metadata)
    }
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Hang"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { [hangsContinuation] request, context in
      hangsContinuation.yield("begun")
      do {
        try await context.cancellation.cancelled
      } catch {
        hangsContinuation.yield("cancelled")
        throw error
      }
      hangsContinuation.yield("cancelled")
      return ServerResponse(message: request.message)
    }
    router.registerHandler(
      forMethod: EchoClient.method("Collect"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      var count = 0
      for try await message in request.messages { count += message.count }
      return StreamingServerResponse(
        single: ServerResponse(message: Array("\(count)".utf8)))
    }
    router.registerHandler(
      forMethod: EchoClient.method("Expand"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      StreamingServerResponse { writer in
        for try await message in request.messages {
          for index in 0..<(Int(String(decoding: message, as: UTF8.self)) ?? 0) {
            try await writer.write(
              [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 1000))
          }
        }
        return ["x-note": "done"]
      }
    }
    router.registerHandler(
      forMethod: EchoClient.method("Bidi"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, _ in
      StreamingServerResponse(metadata: request.metadata) { writer in
        for try await message in request.messages { try await writer.write(message) }
        return [:]
      }
    }
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Quit"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, context in
      context.cancellation.cancel()
      return ServerResponse(message: request.message)
    }
    router.registerUnaryHandler(
      forMethod: EchoClient.method("Who"), deserializer: ByteDeserializer(),
      serializer: ByteSerializer()
    ) { request, context in
      let peer = context.peer.map { "\($0)" } ?? "nobody"
      return ServerResponse(message: Array("\(context.remotePeer) \(peer)".utf8))
    }
    return router
  }
}
