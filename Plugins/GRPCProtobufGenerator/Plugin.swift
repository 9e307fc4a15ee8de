import PackagePlugin

@main
struct GRPCProtobufGenerator: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    []
  }
}
