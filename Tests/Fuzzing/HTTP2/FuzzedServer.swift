import CLinux
import EventLoop
import GRPCCore
import Glibc
import Synchronization

@testable import GRPCHTTP2Transport

/// A server that is sent each input on a connection of its own.
final class FuzzedServer: Sendable {
  private let loop = EventLoopGroup(count: 1, name: "fuzzed").loops[0]
  private let routes: ServerRoutes
  private let handlers: Handlers

  init() {
    handlers = Handlers()
    routes = ServerRoutes(handlers.router)
  }

  func run(_ peer: PeerBytes) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      fatalError("socketpair: error \(errno)")
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let closed = Signal()
    let descriptor = ends[0]
    loop.execute { [self] in
      do {
        _ = try ServerConnection(
          descriptor: descriptor, remote: nil, local: .unixDomainSocket(path: "/fuzz"), tls: nil,
          routes: routes, configuration: .defaults, on: loop, onClose: { _ in closed.send() })
      } catch {
        fatalError("\(error)")
      }
    }
    PeerSocket(descriptor: ends[1], loop: loop).play(peer)
    closed.wait()
    // Handlers are told that they are cancelled, and have a few ticks to see it.
    for _ in 0..<1000 where handlers.running.load(ordering: .relaxed) > 0 {
      loop.turn()
    }
    guard handlers.running.load(ordering: .relaxed) == 0 else {
      fatalError("a handler outlives its connection")
    }
  }
}

/// Methods of every shape, with a count of the handlers that run.
private final class Handlers: Sendable {
  let running = Atomic<Int>(0)

  private func counted<Result>(_ body: () async throws -> Result) async throws -> Result {
    running.wrappingAdd(1, ordering: .relaxed)
    defer { running.wrappingSubtract(1, ordering: .relaxed) }
    return try await body()
  }

  private func method(_ name: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "fuzz.Service", method: name)
  }

  var router: RPCRouter<HTTP2ServerTransport> {
    var router = RPCRouter<HTTP2ServerTransport>()
    router.registerUnaryHandler(
      forMethod: method("Unary"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { [self] request, _ in
      try await counted { ServerResponse(message: request.message, metadata: request.metadata) }
    }
    router.registerHandler(
      forMethod: method("Stream"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { [self] request, _ in
      StreamingServerResponse(metadata: request.metadata) { writer in
        try await self.counted {
          for try await message in request.messages { try await writer.write(message) }
          return [:]
        }
      }
    }
    router.registerUnaryHandler(
      forMethod: method("Fail"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { [self] request, context in
      try await counted {
        try await context.cancellation.cancelled
        return ServerResponse(message: request.message)
      }
    }
    return router
  }
}

/// Messages that are their own bytes.
private struct PlainBytes: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
    bytes.withUnsafeBytes { Array($0) }
  }
}
