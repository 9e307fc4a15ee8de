import GRPCCore
import SwiftProtobuf
import Testing

@testable import GRPCServices

/// Reflection of proto2 extensions, which may be declared in another file than what they extend, and
/// inside a message.
@Suite struct ReflectionExtensionsTests {
  private enum Base: FileDescriptorProviding {
    static let protoFileName = "base.proto"
    static let dependencies: [any FileDescriptorProviding.Type] = []
    static let serializedFileDescriptor = descriptor { file in
      file.name = protoFileName
      file.package = "test"
      file.messageType = [
        .with {
          $0.name = "Base"
          $0.extensionRange = [.with { ($0.start, $0.end) = (100, 200) }]
        },
        .with { $0.name = "Plain" },
      ]
      file.extension = [ReflectionExtensionsTests.extension("own", 101, of: ".test.Base")]
    }
  }

  private enum Extending: FileDescriptorProviding {
    static let protoFileName = "extending.proto"
    static let dependencies: [any FileDescriptorProviding.Type] = [Base.self]
    static let serializedFileDescriptor = descriptor { file in
      file.name = protoFileName
      file.package = "other"
      file.dependency = [Base.protoFileName]
      file.extension = [ReflectionExtensionsTests.extension("outer", 150, of: ".test.Base")]
      file.messageType = [
        .with {
          $0.name = "Scope"
          $0.extension = [ReflectionExtensionsTests.extension("inner", 100, of: ".test.Base")]
        }
      ]
    }
  }

  private static func descriptor(
    _ fill: (inout Google_Protobuf_FileDescriptorProto) -> Void
  ) -> [UInt8] {
    (try? Google_Protobuf_FileDescriptorProto.with(fill).serializedBytes()) ?? []
  }

  private static func `extension`(
    _ name: String, _ number: Int32, of type: String
  ) -> Google_Protobuf_FieldDescriptorProto {
    .with {
      $0.name = name
      $0.number = number
      $0.extendee = type
    }
  }

  private var conversation: ReflectionConversation

  init() throws {
    conversation = ReflectionConversation(index: try DescriptorIndex([Extending.self]))
  }

  @Test(arguments: [
    (101, ["base.proto"]), (150, ["extending.proto", "base.proto"]),
  ])
  func findsTheFileOfAnExtension(number: Int, files: [String]) throws {
    #expect(try Self.names(conversation, extending: "test.Base", by: number) == files)
  }

  @Test func findsAnExtensionInsideAMessage() throws {
    #expect(
      try Self.names(conversation, extending: "test.Base", by: 100)
        == ["extending.proto", "base.proto"])
  }

  @Test mutating func listsTheNumbersOfATypesExtensions() throws {
    let base = try conversation.answer(.with { $0.allExtensionNumbersOfType = "test.Base" })
    #expect(base.allExtensionNumbersResponse.baseTypeName == "test.Base")
    #expect(base.allExtensionNumbersResponse.extensionNumber == [100, 101, 150])
    // No error: the type exists, and nothing extends it.
    let plain = try conversation.answer(.with { $0.allExtensionNumbersOfType = "test.Plain" })
    #expect(plain.allExtensionNumbersResponse.baseTypeName == "test.Plain")
    #expect(plain.allExtensionNumbersResponse.extensionNumber.isEmpty)
  }

  @Test(arguments: [("test.Base", 102), ("test.Plain", 100), ("other.Base", 100)])
  func saysWhichExtensionsThereAreNot(type: String, number: Int) throws {
    var conversation = conversation
    let response = try conversation.answer(Self.request(type, number))
    #expect(response.errorResponse.errorCode == 5)
  }

  @Test(arguments: ["test.own", "other.outer", "other.Scope.inner"])
  func anExtensionIsASymbol(symbol: String) throws {
    var conversation = conversation
    let response = try conversation.answer(.with { $0.fileContainingSymbol = symbol })
    #expect(!response.fileDescriptorResponse.fileDescriptorProto.isEmpty)
  }

  private static func request(
    _ type: String, _ number: Int
  ) -> Grpc_Reflection_V1_ServerReflectionRequest {
    .with { request in
      request.fileContainingExtension = .with {
        $0.containingType = type
        $0.extensionNumber = Int32(number)
      }
    }
  }

  private static func names(
    _ conversation: ReflectionConversation, extending type: String, by number: Int
  ) throws -> [String] {
    var conversation = conversation
    return try conversation.answer(request(type, number)).fileDescriptorResponse.fileDescriptorProto
      .map { try Google_Protobuf_FileDescriptorProto(serializedBytes: $0).name }
  }
}
