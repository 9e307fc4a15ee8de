import GRPCCore
import GRPCInProcessTransport
import KartTesting

/// Serves services in this process for as long as a closure calls them.
func withClient<Result: Sendable>(
  of services: [any RegistrableRPCService],
  _ body: @escaping @Sendable (GRPCClient<InProcessTransport.Client>) async throws -> Result
) async throws -> Result {
  let transport = InProcessTransport(clock: ManualClock())
  return try await withGRPCServer(transport: transport.server, services: services) { server in
    defer { server.beginGracefulShutdown() }
    return try await withGRPCClient(transport: transport.client) { try await body($0) }
  }
}
