import Foundation
import Testing

@Suite struct ProtoGenerationTests {
  let folder: TemporaryFolder
  let config: GeneratorConfig
  let proto: URL

  init() throws {
    folder = try TemporaryFolder()
    let url = try folder.write("Protos/\(GeneratorConfig.fileName)", "{\"generate\": {}}\n")
    config = try GeneratorConfig(parsing: Data(contentsOf: url), from: url)
    proto = try folder.write("Protos/karts/v1/kart.proto", #"import "base.proto";"#)
    try folder.write("Protos/base.proto")
  }

  func generation(protoc: String = "/bin/echo") throws -> ProtoGeneration {
    try ProtoGeneration(
      of: proto, config: config, protoc: URL(filePath: protoc), outputFolder: folder.url)
  }

  @Test func outputsAreNamedAfterTheWholePath() throws {
    let generator = URL(filePath: "/generator")
    let generation = try generation()
    #expect(
      generation.messages(generator: generator).output.lastPathComponent
        == "karts_v1_kart.pb.swift")
    #expect(
      generation.services(generator: generator).output.lastPathComponent
        == "karts_v1_kart.grpc.swift")
  }

  @Test func everythingThatMattersIsAnInput() throws {
    let inputs = try generation().messages(generator: URL(filePath: "/generator")).inputs
    let base = folder.url.path
    #expect(
      inputs.map(\.path) == [
        proto.path, config.url.path, "\(base)/Protos/base.proto", "/bin/echo", "/generator",
      ])
  }

  @Test func protocGetsItsArguments() throws {
    let run = try generation().services(generator: URL(filePath: "/generator"))
    let base = folder.url.path
    #expect(
      try output(of: run).text.split(separator: " ") == [
        "--plugin=protoc-gen-grpc-swift-2=/generator", "--grpc-swift-2_out=\(base)",
        "--grpc-swift-2_opt=Client=true", "--grpc-swift-2_opt=Server=true",
        "--grpc-swift-2_opt=Visibility=Internal",
        "--grpc-swift-2_opt=UseAccessLevelOnImports=false",
        "--grpc-swift-2_opt=FileNaming=PathToUnderscores", "--proto_path=\(base)/Protos",
        "karts/v1/kart.proto",
      ])
  }

  @Test func configEditedAfterPlanningStopsTheBuild() throws {
    let run = try generation().messages(generator: URL(filePath: "/generator"))
    try folder.write("Protos/\(GeneratorConfig.fileName)", "{}")
    let result = try output(of: run)
    #expect(result.status == 1)
    #expect(
      result.text
        == "error: \(config.url.path) has changed since the build was planned; "
        + "touch Package.swift and build again.")
  }

  @Test func fileOutsideTheImportFoldersIsRefused() throws {
    let outside = try folder.write("Elsewhere/x.proto")
    let error = try #require(throws: GeneratorError.self) {
      try ProtoGeneration(
        of: outside, config: config, protoc: URL(filePath: "/protoc"), outputFolder: folder.url)
    }
    #expect("\(error)".hasPrefix("\(outside.path) lies in none of the import folders"))
  }

  func output(of run: ProtoGeneration.Run) throws -> (text: String, status: Int32) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = run.executable
    process.arguments = run.arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return (text.trimmingCharacters(in: .whitespacesAndNewlines), process.terminationStatus)
  }
}
