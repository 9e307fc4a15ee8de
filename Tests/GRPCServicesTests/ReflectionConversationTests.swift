import GRPCCore
import SwiftProtobuf
import Testing

@testable import GRPCServices

@Suite struct ReflectionConversationTests {
  private typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
  private var conversation: ReflectionConversation

  init() throws {
    conversation = ReflectionConversation(
      index: try DescriptorIndex([
        File_Grpc_Health_V1_Health.self, File_Google_Protobuf_Descriptor.self,
      ]))
  }

  @Test mutating func listsServices() throws {
    let response = try conversation.answer(.with { $0.listServices = "*" })
    #expect(response.listServicesResponse.service.map(\.name) == ["grpc.health.v1.Health"])
  }

  @Test(arguments: [
    "grpc.health.v1.Health", "grpc.health.v1.Health.Check", "grpc.health.v1.HealthCheckRequest",
    "grpc.health.v1.HealthCheckResponse.ServingStatus",
    "grpc.health.v1.HealthCheckResponse.SERVING",
    "grpc.health.v1.HealthCheckRequest.service",
  ])
  func findsSymbols(symbol: String) throws {
    var conversation = conversation
    let response = try conversation.answer(.with { $0.fileContainingSymbol = symbol })
    #expect(
      response.fileDescriptorResponse.fileDescriptorProto
        == [File_Grpc_Health_V1_Health.serializedFileDescriptor])
  }

  @Test mutating func saysWhatThereIsNot() throws {
    let requests: [Request] = [
      .with { $0.fileByFilename = "x.proto" },
      .with { $0.fileContainingSymbol = "x.Y" },
      .with { $0.allExtensionNumbersOfType = "x.Y" },
      .with { $0.fileContainingExtension = .with { $0.containingType = "x.Y" } },
    ]
    for request in requests {
      let response = try conversation.answer(request)
      #expect(response.errorResponse.errorCode == 5)
      #expect(response.originalRequest == request)
    }
  }
}
