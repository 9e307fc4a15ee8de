import Foundation
import Testing

/// The command line of the command plugin.
@Suite struct GenerateCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func command(_ arguments: String...) throws -> GenerateCommand {
    try GenerateCommand(arguments: arguments, packageFolder: folder.url)
  }

  @Test func defaultsGenerateEverythingIntoThePackage() throws {
    let command = try command()
    #expect(command.config.generatesMessages)
    #expect(command.config.generatesServices)
    #expect(command.config.accessLevel == .internal)
    #expect(command.config.importFolders.map(\.path) == [folder.url.path])
    #expect(command.outputFolder.path == folder.url.path)
    #expect(command.fileNaming == .fullPath)
    #expect(!command.isVerbose && !command.showsHelp)
  }

  @Test func flagsAreTakenOver() throws {
    let command = try command(
      "--no-clients", "--no-servers", "--access-level", "public", "--access-level-on-imports",
      "--file-naming", "DropPath", "--import-path", "Protos", "--import-path", "/include",
      "--protoc-path", "bin/protoc", "--output-path", "Sources/API", "--verbose")
    #expect(command.config.generatesMessages)
    #expect(!command.config.generatesServices)
    #expect(command.config.accessLevel == .public)
    #expect(command.config.accessLevelOnImports)
    #expect(command.fileNaming == .dropPath)
    #expect(
      command.config.importFolders.map(\.path) == ["\(folder.url.path)/Protos", "/include"])
    #expect(command.config.protocPath == "bin/protoc")
    #expect(command.outputFolder.path == "\(folder.url.path)/Sources/API")
    #expect(command.isVerbose)
    #expect(try self.command("--help").showsHelp)
  }

  @Test(arguments: [
    (["--speed"], "there is no flag --speed; --help shows those there are"),
    (["--import-path"], "--import-path needs a value"),
    (
      ["--access-level", "open"],
      "--access-level can't be “open”; it may be one of internal, package, public"
    ),
    (
      ["--file-naming", "short"],
      "--file-naming can't be “short”; it may be one of FullPath, PathToUnderscores, DropPath"
    ),
  ])
  func badFlagsAreErrors(arguments: [String], problem: String) throws {
    let error = try #require(throws: GeneratorError.self) {
      try GenerateCommand(arguments: arguments, packageFolder: folder.url)
    }
    #expect("\(error)" == "generate-grpc-code-from-protos: \(problem).")
  }

  @Test func foldersAreSearched() throws {
    try folder.write("Protos/b.proto")
    try folder.write("Protos/v1/a.proto")
    try folder.write("Protos/README.md")
    try folder.write("single.proto")
    let found = try command("--verbose", "single.proto", "--", "Protos").protos()
    #expect(found.map(\.lastPathComponent) == ["single.proto", "b.proto", "a.proto"])
  }

  @Test func nothingToGenerateIsAnError() throws {
    let none = try #require(throws: GeneratorError.self) { try command("--verbose").protos() }
    #expect("\(none)".contains("no .proto file was named"))
    try folder.write("Empty/README.md")
    for path in ["Empty", "missing.proto"] {
      let error = try #require(throws: GeneratorError.self) { try command(path).protos() }
      #expect(
        "\(error)".hasSuffix(
          "\(folder.url.path)/\(path) is neither a .proto file nor a folder that holds one."))
    }
  }

  @Test(arguments: [
    (ProtoGeneration.FileNaming.fullPath, "out/karts/v1/kart.pb.swift"),
    (.pathToUnderscores, "out/karts_v1_kart.pb.swift"), (.dropPath, "out/kart.pb.swift"),
  ])
  func outputsAreNamedAsAsked(naming: ProtoGeneration.FileNaming, path: String) throws {
    let proto = try folder.write("karts/v1/kart.proto")
    let run = try ProtoGeneration(
      of: proto, config: command().config, protoc: URL(filePath: "/protoc"),
      outputFolder: folder.url.appending(path: "out"), fileNaming: naming
    ).messages(generator: URL(filePath: "/generator"))
    #expect(run.executable.path == "/protoc")
    #expect(run.output.path == "\(folder.url.path)/\(path)")
    #expect(run.arguments.contains("--swift_opt=FileNaming=\(naming.rawValue)"))
  }
}
