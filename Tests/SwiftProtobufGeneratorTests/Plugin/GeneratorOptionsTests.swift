import Testing

@testable import SwiftProtobufGenerator

@Suite struct GeneratorOptionsTests {
  private func options(_ text: String) throws -> GeneratorOptions {
    var options = GeneratorOptions()
    for parameter in GeneratorParameter.parse(text) {
      guard try options.set(parameter) else {
        throw GeneratorError.unknownOption(parameter.name)
      }
    }
    return options
  }

  @Test func defaults() throws {
    let options = try options("")
    #expect(options.visibility == .internal)
    #expect(options.fileNaming == .fullPath)
    #expect(!options.usesAccessLevelOnImports)
    #expect(options.importStatement("A") == "import A")
  }

  @Test func upstreamsOptions() throws {
    let options = try options(
      "Visibility=Public, FileNaming=DropPath,UseAccessLevelOnImports=true")
    #expect(options.visibility == .public)
    #expect(options.visibility.modifier == "public ")
    #expect(options.fileNaming == .dropPath)
    #expect(options.importStatement("A") == "public import A")
  }

  @Test func upstreamsSpellings() throws {
    #expect(try options("FileNaming=path_to_underscores").fileNaming == .pathToUnderscores)
    #expect(try options("FileNaming=droppath,Visibility=package").fileNaming == .dropPath)
    #expect(try options("ProtoPathModuleMappings=").moduleMappings.module(of: "a.proto") == nil)
  }

  @Test func theRuntimeMayHaveAnotherName() throws {
    let options = try options("SwiftProtobufModuleName=Proto")
    #expect(options.moduleMappings.module(of: "google/protobuf/any.proto") == "Proto")
  }

  @Test(arguments: [
    (
      "SwiftProtobufModuleName=1x",
      "option 'SwiftProtobufModuleName' can't be '1x': use the name of a module"
    ),
    ("Visibility=Open", "option 'Visibility' can't be 'Open': use Internal, Public, Package"),
    ("FileNaming=x", "option 'FileNaming' can't be 'x': use FullPath, PathToUnderscores, DropPath"),
    (
      "UseAccessLevelOnImports=maybe",
      "option 'UseAccessLevelOnImports' can't be 'maybe': use true or false"
    ),
    ("Nonsense=1", "there is no option 'Nonsense'"),
    ("ProtoPathModuleMappings=/nowhere", "module mappings '/nowhere': the file can't be read"),
  ])
  func mistakesAreNamed(text: String, message: String) {
    let error = #expect(throws: GeneratorError.self) { try options(text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (GeneratorOptions.FileNaming.fullPath, "a/b/c.pb.swift"),
    (.pathToUnderscores, "a_b_c.pb.swift"), (.dropPath, "c.pb.swift"),
  ])
  func fileNaming(naming: GeneratorOptions.FileNaming, name: String) {
    #expect(naming.outputName(for: "a/b/c.proto", suffix: ".pb.swift") == name)
  }
}
