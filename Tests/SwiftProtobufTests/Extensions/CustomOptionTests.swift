import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Options that a .proto file declares itself.
@Suite struct CustomOptionTests {
  private let file: Google_Protobuf_FileDescriptorProto

  init() throws {
    file = try Google_Protobuf_FileDescriptorProto(
      serializedBytes: File_Visibility.serializedFileDescriptor,
      extensions: Swiftkart_Test_CustomOptions_Extensions)
  }

  @Test func descriptorsCarryThem() throws {
    let measured = try #require(file.messageType.first { $0.name == "Measured" })
    #expect(measured.options.Swiftkart_Test_owners == ["timing", "race control"])
    let distance = try #require(measured.field.first { $0.name == "distance" })
    #expect(
      distance.options.Swiftkart_Test_unit
        == .with {
          $0.symbol = "m"
          $0.factor = 1.5
        })
    let good = try #require(measured.enumType.first?.value.last)
    #expect(good.options.Swiftkart_Test_weight == 7)
  }

  /// What `import option` names need not be linked, nor even generated.
  @Test func importsForOptionsAreNoDependencies() {
    #expect(File_Visibility.dependencies.isEmpty)
    #expect(file.optionDependency.isEmpty)
    #expect(file.messageType.map(\.visibility) == [.visibilityUnset, .visibilityLocal])
  }

  @Test func theyAreKeptWhereTheyAreNotKnown() throws {
    let plain = try File_Visibility.fileDescriptor
    #expect(try plain.serializedBytes() == File_Visibility.serializedFileDescriptor)
  }
}
