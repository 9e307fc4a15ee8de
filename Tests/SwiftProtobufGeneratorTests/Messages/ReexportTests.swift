import Foundation
import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// What `import public` makes part of the importer's module.
@Suite struct ReexportTests {
  private func generate(_ parameter: String, publicDependency: Int32 = 1) throws -> String {
    let mappings = FileManager.default.temporaryDirectory
      .appending(path: "swiftkart-mappings-\(UUID().uuidString)")
    try Data(#"mapping { module_name: "Base" proto_file_path: "base.proto" }"#.utf8)
      .write(to: mappings)
    defer { try? FileManager.default.removeItem(at: mappings) }
    let response = SwiftMessageGenerator.respond(
      to: .with {
        $0.parameter = "ProtoPathModuleMappings=\(mappings.path),\(parameter)"
        $0.fileToGenerate = ["outer.proto"]
        $0.protoFile = [
          .with { $0.name = "other.proto" },
          .with {
            $0.name = "base.proto"
            $0.messageType = [.with { $0.name = "Lap" }]
            $0.enumType = [
              .with {
                $0.name = "Flag"
                $0.value = [.with { $0.name = "FLAG_GREEN" }]
              }
            ]
          },
          .with {
            $0.name = "outer.proto"
            $0.dependency = ["other.proto", "base.proto"]
            $0.publicDependency = [publicDependency]
          },
        ]
      })
    #expect(response.error == "")
    return try #require(response.file.first).content
  }

  @Test func typesOfOtherModulesAreExported() throws {
    let source = try generate("Visibility=Public")
    #expect(
      source.contains(
        "\n@_exported import struct Base.Lap\n@_exported import enum Base.Flag\n"))
  }

  @Test func whatNobodySeesExportsNothing() throws {
    #expect(try !generate("").contains("@_exported"))
    #expect(try generate("").contains("import Base\n"))
  }

  @Test func aWrongIndexIsPassedOver() throws {
    #expect(try !generate("Visibility=Public", publicDependency: 7).contains("@_exported"))
  }

  @Test(arguments: [
    ("ImplementationOnlyImports=true,Visibility=Public", "Visibility=Internal"),
    (
      "ImplementationOnlyImports=true,UseAccessLevelOnImports=true",
      "either it or UseAccessLevelOnImports"
    ),
  ])
  func hiddenImportsGoWithInternalCodeOnly(parameter: String, mend: String) {
    for generator in [SwiftMessageGenerator.self, SwiftServiceGenerator.self]
      as [any CodeGenerator.Type]
    {
      let response = generator.respond(to: .with { $0.parameter = parameter })
      #expect(response.error.hasPrefix("option 'ImplementationOnlyImports' can't be 'true'"))
      #expect(response.error.contains(mend))
    }
  }
}
