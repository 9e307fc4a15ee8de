import ProtobufTestMessages
import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// The options that only services have, under upstream's names.
@Suite struct ServiceOptionsTests {
  private func generate(_ parameter: String) throws -> String {
    let file = File_SwiftKartService.self
    let response = SwiftServiceGenerator.respond(
      to: try .with {
        $0.parameter = parameter
        $0.fileToGenerate = [file.protoFileName]
        $0.protoFile = try file.dependencies.map { try $0.fileDescriptor } + [file.fileDescriptor]
      })
    guard response.error.isEmpty else { throw Refusal(reason: response.error) }
    return try #require(response.file.first).content
  }

  private struct Refusal: Error, Equatable {
    let reason: String
  }

  @Test func modulesMayHaveOtherNames() throws {
    let source = try generate(
      "GRPCModuleName=Core,GRPCProtobufModuleName=Coding,SwiftProtobufModuleName=Messages,"
        + "ExtraModuleImports=More,ExtraModuleImports=Most")
    let imports = source.split(separator: "\n").filter { $0.hasPrefix("import ") }
    #expect(
      imports == ["import Coding", "import Core", "import Messages", "import More", "import Most"])
    #expect(source.contains("Core.GRPCClient<_Transport>"))
    #expect(source.contains("Coding.ProtobufSerializer<"))
    for name in ["GRPCCore", "GRPCProtobuf", "SwiftProtobuf"] { #expect(!source.contains(name)) }
  }

  /// With access levels, only what signatures have is exposed: the compiler warns of more.
  @Test(arguments: [
    (".Own", ["public import GRPCCore", "internal import GRPCProtobuf", "public import More"]),
    (
      ".google.protobuf.Duration",
      [
        "public import GRPCCore", "internal import GRPCProtobuf", "public import More",
        "public import SwiftProtobuf",
      ]
    ),
  ])
  func importsAreExposedAsFarAsNeeded(output: String, imports: [String]) throws {
    let response = SwiftServiceGenerator.respond(
      to: try .with {
        $0.parameter = "Visibility=Public,UseAccessLevelOnImports=true,ExtraModuleImports=More"
        $0.fileToGenerate = ["service.proto"]
        $0.protoFile = [
          try File_Google_Protobuf_Duration.fileDescriptor,
          .with {
            $0.name = "service.proto"
            $0.syntax = "proto3"
            $0.dependency = ["google/protobuf/duration.proto"]
            $0.messageType = [.with { $0.name = "Own" }]
            $0.service = [
              .with {
                $0.name = "Service"
                $0.method = [
                  .with {
                    $0.name = "Get"
                    $0.inputType = ".Own"
                    $0.outputType = output
                  }
                ]
              }
            ]
          },
        ]
      })
    let source = try #require(response.file.first).content
    #expect(
      source.split(separator: "\n").filter { $0.contains(" import ") } == imports.map { $0[...] })
  }

  @Test func everyDeclarationIsAvailableWhereItIsSaid() throws {
    let lines = try generate("Availability=macOS 15.0,Availability=iOS 18")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let declarations = lines.indices.filter {
      lines[$0].hasPrefix("enum ") || lines[$0].hasPrefix("extension ")
    }
    #expect(declarations.count > 6)
    for index in declarations {
      #expect(lines[index - 1] == "@available(macOS 15.0, iOS 18, *)")
    }
    #expect(try !generate("").contains("@available"))
  }

  @Test(arguments: [
    ("GRPCModuleName=", "option 'GRPCModuleName' can't be '': use the name of a module"),
    (
      "ExtraModuleImports=a b",
      "option 'ExtraModuleImports' can't be 'a b': use the name of a module"
    ),
    (
      "Availability=macOS",
      "option 'Availability' can't be 'macOS': "
        + "use an operating system and a version, as in 'macOS 15.0'"
    ),
    (
      "ReflectionData=true",
      "option 'ReflectionData' can't be 'true': "
        + "use protoc's --descriptor_set_out, whose output the reflection service serves"
    ),
    ("Server=maybe", "option 'Server' can't be 'maybe': use true or false"),
    ("TestClient=true", "there is no option 'TestClient'"),
  ])
  func mistakesAreNamed(parameter: String, reason: String) {
    #expect(throws: Refusal(reason: reason)) { try generate(parameter) }
  }
}
