import Foundation
import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// The build plugin's configuration, which the generators read when they run.
@Suite struct ConfigOptionTests {
  private func generate(
    _ generator: any CodeGenerator.Type, config: String, plan: String? = nil
  ) throws -> Google_Protobuf_Compiler_CodeGeneratorResponse {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "swiftkart-generator,%-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: GeneratorConfig.fileName)
    try Data(config.utf8).write(to: url)
    let path = url.path.replacing("%", with: "%25").replacing(",", with: "%2C")
    let plan = plan ?? GeneratorConfig(url: url).plan
    return generator.respond(
      to: .with {
        $0.parameter = "Config=\(path),Plan=\(plan),FileNaming=PathToUnderscores"
        $0.fileToGenerate = ["kart/echo.proto"]
        $0.protoFile = [
          .with {
            $0.name = "kart/echo.proto"
            $0.syntax = "proto3"
            $0.messageType = [.with { $0.name = "Ping" }]
            $0.service = [
              .with {
                $0.name = "Echo"
                $0.method = [
                  .with {
                    $0.name = "Get"
                    $0.inputType = ".Ping"
                    $0.outputType = ".Ping"
                  }
                ]
              }
            ]
          }
        ]
      })
  }

  private func source(
    _ generator: any CodeGenerator.Type, config: String
  ) throws -> String {
    let response = try generate(generator, config: config)
    #expect(response.error == "")
    return try #require(response.file.first).content
  }

  @Test func accessLevelsComeFromIt() throws {
    let config =
      #"{"generatedSource": {"accessLevel": "package", "accessLevelOnImports": true}}"#
    let messages = try source(SwiftMessageGenerator.self, config: config)
    #expect(messages.contains("package import SwiftProtobuf\n"))
    #expect(messages.contains("package struct Ping: SwiftProtobuf.Message {"))
    let services = try source(SwiftServiceGenerator.self, config: config)
    #expect(services.contains("package import GRPCCore\n"))
  }

  @Test func whatIsNotAskedForIsAnEmptyFile() throws {
    let none = #"{"generate": {"clients": false, "servers": false, "messages": false}}"#
    #expect(
      try source(SwiftMessageGenerator.self, config: none)
        .contains("// The configuration asks for no messages.\n"))
    #expect(try !source(SwiftMessageGenerator.self, config: none).contains("import"))
    #expect(
      try source(SwiftServiceGenerator.self, config: none)
        .contains("// Neither clients nor servers are asked for.\n"))
    let servers = try source(
      SwiftServiceGenerator.self, config: #"{"generate": {"clients": false}}"#)
    #expect(servers.contains("protocol SimpleServiceProtocol"))
    #expect(!servers.contains("ClientProtocol"))
  }

  @Test func faultsAreNamed() throws {
    let unknown = try generate(SwiftMessageGenerator.self, config: #"{"generates": {}}"#)
    #expect(unknown.error.contains("“generates” is not a key there; the keys are generate,"))
    let moved = try generate(
      SwiftMessageGenerator.self, config: #"{"protoc": {"importPaths": ["x"]}}"#)
    #expect(moved.error.hasSuffix("touch Package.swift and build again"))
    let missing = SwiftMessageGenerator.respond(to: .with { $0.parameter = "Config=/no/such.json" })
    #expect(missing.error == "/no/such.json: the file can't be read")
  }
}
