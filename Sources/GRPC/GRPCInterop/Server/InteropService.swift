import GRPCCore
import GRPCProtobuf

/// `grpc.testing.TestService` as gRPC's "Interop Test Case Descriptions" wants it of a server.
package struct InteropService: RegistrableRPCService {
  /// Creates the service.
  package init() {}

  /// Registers the service's methods, but `UnimplementedCall`.
  ///
  /// - Parameter router: Where to register them.
  package func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>)
  {
    let service = TestService()
    service.registerMethods(with: &router)
    // As a stream, which tells whether a message came compressed.
    typealias UnaryCall = Grpc_Testing_TestService.Method.UnaryCall
    router.registerHandler(
      forMethod: UnaryCall.descriptor, deserializer: ProtobufDeserializer<UnaryCall.Input>(),
      serializer: ProtobufSerializer<UnaryCall.Output>()
    ) { request, context in
      var messages = request.messages.makeAsyncIterator()
      guard let message = try await messages.next() else {
        throw RPCError(code: .unimplemented, message: "The request has no message.")
      }
      try message.checkCompression(messages.latestIsCompressed)
      let single = ServerRequest(metadata: request.metadata, message: message)
      return StreamingServerResponse(
        single: try await service.unaryCall(request: single, context: context))
    }
    router.removeHandler(forMethod: Grpc_Testing_TestService.Method.UnimplementedCall.descriptor)
  }
}

extension Grpc_Testing_SimpleRequest {
  /// Insists that the message came as it says.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT where it did not.
  fileprivate func checkCompression(_ isCompressed: Bool) throws(RPCError) {
    if hasExpectCompressed { try expectCompressed.check(isCompressed) }
  }
}

extension Grpc_Testing_BoolValue {
  /// Insists that a message came compressed, or not.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT where it did not.
  func check(_ isCompressed: Bool) throws(RPCError) {
    guard value != isCompressed else { return }
    throw RPCError(
      code: .invalidArgument,
      message: value
        ? "The message should be compressed, and is not."
        : "The message is compressed, and should not be.")
  }
}
