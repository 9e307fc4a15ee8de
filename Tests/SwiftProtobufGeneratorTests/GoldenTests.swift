import Foundation
import ProtobufTestMessages
import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// The source that is generated for whole files, held against what was read and approved of.
///
/// After a change that is meant, `UPDATE_GOLDENS=1 swift test --filter GoldenTests` writes the
/// files anew, and their diff is what there is to review.
@Suite struct GoldenTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let file: any FileDescriptorProviding.Type
    let generator: any (CodeGenerator & SendableMetatype).Type
    let parameter: String

    var testDescription: String { name }
  }

  static let goldens = [
    Golden(
      name: "extensions.pb.swift", file: File_Extensions.self,
      generator: SwiftMessageGenerator.self, parameter: "Visibility=Public"),
    Golden(
      name: "modern.pb.swift", file: File_Modern.self, generator: SwiftMessageGenerator.self,
      parameter: ""),
    Golden(
      name: "colliding.pb.swift", file: File_Colliding.self,
      generator: SwiftMessageGenerator.self, parameter: "ImplementationOnlyImports=true"),
    Golden(
      name: "service.grpc.swift", file: File_SwiftKartService.self,
      generator: SwiftServiceGenerator.self, parameter: ""),
    Golden(
      name: "server.grpc.swift", file: File_SwiftKartService.self,
      generator: SwiftServiceGenerator.self,
      parameter: "Visibility=Public,Client=false,UseAccessLevelOnImports=true"),
    Golden(
      name: "client.grpc.swift", file: File_SwiftKartService.self,
      generator: SwiftServiceGenerator.self, parameter: "Visibility=Package,Server=false"),
  ]

  @Test(arguments: goldens)
  func sourceIsWhatWasApprovedOf(_ golden: Golden) throws {
    let source = try generate(golden)
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Goldens/\(golden.name)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try Data(source.utf8).write(to: url)
    }
    let approved = try String(contentsOf: url, encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let approvedLines = approved.split(separator: "\n", omittingEmptySubsequences: false)
    let difference = zip(lines, approvedLines).enumerated().first { $1.0 != $1.1 }
    #expect(difference?.element.0 == difference?.element.1, "line \(difference?.offset ?? 0)")
    #expect(lines.count == approvedLines.count)
  }

  private func generate(_ golden: Golden) throws -> String {
    let response = golden.generator.respond(
      to: try .with {
        $0.parameter = golden.parameter
        $0.fileToGenerate = [golden.file.protoFileName]
        $0.protoFile = try files(of: golden.file)
      })
    #expect(response.error == "")
    return try #require(response.file.first).content
  }

  /// The file's descriptor behind those of the files that it imports.
  private func files(
    of file: any FileDescriptorProviding.Type
  ) throws -> [Google_Protobuf_FileDescriptorProto] {
    try file.dependencies.flatMap { try files(of: $0) } + [file.fileDescriptor]
  }
}
