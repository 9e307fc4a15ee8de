import GRPCCore
import GRPCProtobuf
import SwiftProtobuf

/// gRPC's server reflection: tells clients such as `buf curl` and `grpcurl` what services there are
/// and what their messages look like.
///
/// ```swift
/// let reflection = try ReflectionService(files: [File_Greeter.self])
/// let server = GRPCServer(transport: transport, services: [Greeter(), reflection])
/// ```
///
/// It is served as `grpc.reflection.v1.ServerReflection` and, for clients that are older, as
/// `grpc.reflection.v1alpha.ServerReflection`, whose messages are the same on the wire. See "GRPC
/// Server Reflection Protocol" in gRPC's documents.
public struct ReflectionService: RegistrableRPCService {
  private let index: DescriptorIndex

  /// Creates the service.
  ///
  /// - Parameter files: The files of the services to describe, as the code generated from them
  ///   carries them. What they import is found by itself, and reflection's own files are added.
  /// - Throws: `RuntimeError` with `invalidArgument` where a file's descriptor can't be read.
  public init(files: [any FileDescriptorProviding.Type]) throws {
    index = try DescriptorIndex(
      files + [
        File_Grpc_Reflection_V1_Reflection.self, File_Grpc_Reflection_V1Alpha_Reflection.self,
      ])
  }

  /// Registers the method of both versions.
  ///
  /// - Parameter router: Where to register them.
  public func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    typealias V1 = Grpc_Reflection_V1_ServerReflection.Method.ServerReflectionInfo
    typealias V1Alpha = Grpc_Reflection_V1alpha_ServerReflection.Method.ServerReflectionInfo
    for descriptor in [V1.descriptor, V1Alpha.descriptor] {
      router.registerHandler(
        forMethod: descriptor, deserializer: ProtobufDeserializer<V1.Input>(),
        serializer: ProtobufSerializer<V1.Output>()
      ) { request, _ in
        StreamingServerResponse { writer in
          var conversation = ReflectionConversation(index: index)
          for try await message in request.messages {
            try await writer.write(try conversation.answer(message))
          }
          return [:]
        }
      }
    }
  }
}
