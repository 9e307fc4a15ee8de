import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// The descriptors that generated files carry.
@Suite struct FileDescriptorTests {
  @Test func generatedFilesCarryTheirDescriptors() throws {
    let file = try File_SwiftKartService.fileDescriptor
    #expect(File_SwiftKartService.protoFileName == "swift_kart_service.proto")
    #expect(file.name == "swift_kart_service.proto")
    #expect(file.edition == .edition2024)
    #expect(file.service.map(\.name) == ["SwiftKartService"])
    #expect(file.messageType.map(\.name).contains("Race"))
    #expect(!file.hasSourceCodeInfo)
  }

  @Test func dependenciesAreTypes() {
    #expect(
      File_SwiftKartService.dependencies.map { $0.protoFileName }
        == ["google/protobuf/duration.proto", "google/protobuf/timestamp.proto"])
  }

  @Test func descriptorsOfTheRuntimeDescribeThemselves() throws {
    let file = try File_Google_Protobuf_Descriptor.fileDescriptor
    #expect(file.package == "google.protobuf")
    let bytes: [UInt8] = try file.serializedBytes()
    #expect(bytes == File_Google_Protobuf_Descriptor.serializedFileDescriptor)
  }
}
