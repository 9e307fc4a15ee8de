import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// What protoc is answered.
@Suite struct CodeGeneratorTests {
  private func respond(
    _ parameter: String, files: [String] = ["google/protobuf/duration.proto"]
  ) throws -> Google_Protobuf_Compiler_CodeGeneratorResponse {
    SwiftMessageGenerator.respond(
      to: try .with {
        $0.parameter = parameter
        $0.fileToGenerate = files
        $0.protoFile = [try File_Google_Protobuf_Duration.fileDescriptor]
      })
  }

  @Test func supportsEditionsUpTo2024() throws {
    let response = try respond("")
    #expect(response.supportedFeatures == 3)
    #expect(response.minimumEdition == Int32(Google_Protobuf_Edition.proto2.rawValue))
    #expect(response.maximumEdition == Int32(Google_Protobuf_Edition.edition2024.rawValue))
    #expect(!response.hasError)
  }

  @Test func namesFilesAsAsked() throws {
    #expect(try respond("").file.map(\.name) == ["google/protobuf/duration.pb.swift"])
    #expect(try respond("FileNaming=DropPath").file.map(\.name) == ["duration.pb.swift"])
  }

  @Test func anErrorIsAnAnswer() throws {
    let response = try respond("Nonsense=1")
    #expect(response.error == "there is no option 'Nonsense'")
    #expect(response.file.isEmpty)
    #expect(try respond("", files: ["x.proto"]).hasError)
  }
}
