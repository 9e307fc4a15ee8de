import FoundationEssentials
import PackagePlugin

/// Generates Swift from a target's `.proto` files, as its build goes.
///
/// Each `.proto` file of the target becomes a `.pb.swift` (messages) and a `.grpc.swift` (services)
/// file, as the nearest `grpc-swift-proto-generator-config.json` beside or above it asks.
@main
struct GRPCProtobufGenerator: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    guard let module = target.sourceModule else {
      throw GeneratorError.notSourceModule(target: target.name)
    }
    let files = module.sourceFiles.map(\.url)
    let protos = files.filter { $0.pathExtension == "proto" }
    guard !protos.isEmpty else {
      throw GeneratorError.noProtos(target: target.name, folder: target.directoryURL)
    }
    let configs = try GeneratorConfig.load(from: files)
    let messages = try context.tool(named: "protoc-gen-swift").url
    let services = try context.tool(named: "protoc-gen-grpc-swift-2").url
    var search = ProtocSearch(packageFolder: context.package.directoryURL)
    var commands: [Command] = []
    for proto in protos {
      guard let config = configs.nearest(to: proto) else {
        throw GeneratorError.noConfig(proto: proto, target: target.name)
      }
      let generation = try ProtoGeneration(
        of: proto, config: config, protoc: try search.protoc(for: config),
        outputFolder: context.pluginWorkDirectoryURL, siblings: protos)
      // Both, whatever is asked for now: that may change before the next plan.
      commands.append(Command(generation.messages(generator: messages)))
      commands.append(Command(generation.services(generator: services)))
    }
    return commands
  }
}

extension Command {
  fileprivate init(_ run: ProtoGeneration.Run) {
    self = .buildCommand(
      displayName: "Generating \(run.output.lastPathComponent)", executable: run.executable,
      arguments: run.arguments, inputFiles: run.inputs, outputFiles: [run.output])
  }
}
