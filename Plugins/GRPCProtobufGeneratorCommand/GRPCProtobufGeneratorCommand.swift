import Foundation
import PackagePlugin

/// Generates Swift from `.proto` files once, into the package's sources:
/// `swift package generate-grpc-code-from-protos [flags] -- [files and folders]`.
///
/// For packages whose users shall not need protoc. The build plugin generates as the build goes.
@main
struct GRPCProtobufGeneratorCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let command = try GenerateCommand(
      arguments: arguments, packageFolder: context.package.directoryURL)
    if command.showsHelp { return print(GenerateCommand.help) }
    var search = ProtocSearch(packageFolder: context.package.directoryURL)
    let protoc = try search.protoc(for: command.config)
    let messages = try context.tool(named: "protoc-gen-swift").url
    let services = try context.tool(named: "protoc-gen-grpc-swift-2").url
    try FileManager.default.createDirectory(
      at: command.outputFolder, withIntermediateDirectories: true)
    for proto in try command.protos() {
      let generation = try ProtoGeneration(
        of: proto, config: command.config, protoc: protoc, outputFolder: command.outputFolder,
        fileNaming: command.fileNaming, readsConfig: false)
      if command.config.generatesMessages {
        try run(generation.messages(generator: messages), isVerbose: command.isVerbose)
      }
      if command.config.generatesServices {
        try run(generation.services(generator: services), isVerbose: command.isVerbose)
      }
    }
  }

  private func run(_ run: ProtoGeneration.Run, isVerbose: Bool) throws {
    if isVerbose { print(([run.executable.path] + run.arguments).joined(separator: " ")) }
    let process = Process()
    process.executableURL = run.executable
    process.arguments = run.arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      // protoc has said why on standard error.
      throw GeneratorError.protocFailed(output: run.output, status: process.terminationStatus)
    }
    print("Generated \(run.output.path)")
  }
}
