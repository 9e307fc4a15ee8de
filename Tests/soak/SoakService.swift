import GRPCCore
import GRPCHTTP2Transport

/// Methods that end in every way.
enum SoakService {
  static func method(_ name: String) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "soak.Service", method: name)
  }

  static func router() -> RPCRouter<HTTP2ServerTransport> {
    var router = RPCRouter<HTTP2ServerTransport>()
    router.registerUnaryHandler(
      forMethod: method("Unary"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { request, _ in
      ServerResponse(message: request.message, metadata: request.metadata)
    }
    router.registerUnaryHandler(
      forMethod: method("Fail"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { (_: ServerRequest<[UInt8]>, _) -> ServerResponse<[UInt8]> in
      throw RPCError(code: .notFound, message: "There is nothing.", metadata: ["x-why": "soak"])
    }
    router.registerUnaryHandler(
      forMethod: method("Hang"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { request, context in
      try await context.cancellation.cancelled
      return ServerResponse(message: request.message)
    }
    router.registerHandler(
      forMethod: method("Stream"), deserializer: PlainBytes(), serializer: PlainBytes()
    ) { request, _ in
      StreamingServerResponse { writer in
        for try await message in request.messages { try await writer.write(message) }
        return [:]
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
