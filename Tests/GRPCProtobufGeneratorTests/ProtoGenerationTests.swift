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

  @Test func whatMayBeImportedLaterIsAnInputToo() throws {
    let sibling = try folder.write("Protos/later.proto")
    let outside = try folder.write("Elsewhere/other.proto")
    let base = try folder.write("Protos/base.proto")
    let inputs = try ProtoGeneration(
      of: proto, config: config, protoc: URL(filePath: "/protoc"), outputFolder: folder.url,
      siblings: [proto, sibling, outside, base]
    ).messages(generator: URL(filePath: "/generator")).inputs
    #expect(
      inputs.map(\.path) == [
        proto.path, config.url.path, base.path, sibling.path, "/protoc", "/generator",
      ])
  }

  @Test func protocGetsItsArguments() throws {
    let run = try generation().services(generator: URL(filePath: "/generator"))
    let base = folder.url.path
    #expect(run.executable.path == "/bin/echo")
    #expect(
      run.arguments == [
        "--plugin=protoc-gen-grpc-swift-2=/generator", "--grpc-swift-2_out=\(base)",
        "--grpc-swift-2_opt=Config=\(config.url.path)", "--grpc-swift-2_opt=Plan=\(config.plan)",
        "--grpc-swift-2_opt=FileNaming=PathToUnderscores", "--proto_path=\(base)/Protos",
        "karts/v1/kart.proto",
      ])
  }

  @Test func withoutAConfigurationTheOptionsAreArguments() throws {
    let run = try ProtoGeneration(
      of: proto, config: config, protoc: URL(filePath: "/protoc"), outputFolder: folder.url,
      readsConfig: false
    ).services(generator: URL(filePath: "/generator"))
    #expect(
      run.arguments.filter { $0.contains("_opt=") } == [
        "--grpc-swift-2_opt=Client=true", "--grpc-swift-2_opt=Server=true",
        "--grpc-swift-2_opt=Visibility=Internal",
        "--grpc-swift-2_opt=UseAccessLevelOnImports=false",
        "--grpc-swift-2_opt=FileNaming=PathToUnderscores",
      ])
  }

  @Test func commasInPathsDoNotPartOptions() throws {
    let url = try folder.write("a,b%/\(GeneratorConfig.fileName)", "{}")
    let proto = try folder.write("a,b%/kart.proto")
    let config = try GeneratorConfig(parsing: Data(contentsOf: url), from: url)
    let run = try ProtoGeneration(
      of: proto, config: config, protoc: URL(filePath: "/protoc"), outputFolder: folder.url
    ).messages(generator: URL(filePath: "/generator"))
    #expect(
      run.arguments.contains(
        "--swift_opt=Config=\(folder.url.path)/a%2Cb%25/\(GeneratorConfig.fileName)"))
  }

  @Test func theBuildIsPlannedByProtocAndImportPaths() throws {
    var other = config
    other.accessLevel = .public
    other.generatesClients = false
    #expect(other.plan == config.plan)
    other.importPaths = ["/include"]
    #expect(other.plan != config.plan)
    other = config
    other.protocPath = "/protoc"
    #expect(other.plan != config.plan)
  }

  @Test func fileOutsideTheImportFoldersIsRefused() throws {
    let outside = try folder.write("Elsewhere/x.proto")
    let error = try #require(throws: GeneratorError.self) {
      try ProtoGeneration(
        of: outside, config: config, protoc: URL(filePath: "/protoc"), outputFolder: folder.url)
    }
    #expect("\(error)".hasPrefix("\(outside.path) lies in none of the import folders"))
  }
}
