import GRPCCore
import GRPCInProcessTransport
import KartTesting
import Testing

/// The lives of clients and servers.
@Suite struct LifecycleTests {
  private let transport = InProcessTransport()

  private func echoServer() -> GRPCServer<InProcessTransport.Server> {
    var router = TextRouter()
    router.onUnary { request, _ in ServerResponse(message: request.message) }
    return GRPCServer(transport: transport.server, router: router)
  }

  private func expect(
    _ code: RuntimeError.Code, from body: () async throws -> Void,
    at location: SourceLocation = #_sourceLocation
  ) async {
    let error = await #expect(throws: RuntimeError.self, sourceLocation: location) {
      try await body()
    }
    #expect(error?.code == code, sourceLocation: location)
  }

  @Test func aServerServesOnce() async throws {
    let server = echoServer()
    let client = GRPCClient(transport: transport.client)
    async let serving: Void = server.serve()
    async let running: Void = client.runConnections()
    #expect(try await client.unary("x").message == "x")
    await expect(.serverIsAlreadyRunning) { try await server.serve() }
    await expect(.clientIsAlreadyRunning) { try await client.runConnections() }
    server.beginGracefulShutdown()
    client.beginGracefulShutdown()
    _ = try await (serving, running)
    await expect(.serverIsStopped) { try await server.serve() }
    await expect(.clientIsStopped) { try await client.runConnections() }
    await expect(.clientIsStopped) { _ = try await client.unary("x") }
  }

  @Test func callsMadeBeforeTheStartWait() async throws {
    let server = echoServer()
    let client = GRPCClient(transport: transport.client)
    async let response = client.unary("early")
    async let running: Void = client.runConnections()
    async let serving: Void = server.serve()
    #expect(try await response.message == "early")
    server.beginGracefulShutdown()
    client.beginGracefulShutdown()
    _ = try await (serving, running)
  }

  @Test(arguments: [false, true])
  func aShutdownBeforeTheStartEndsWaitingCalls(isServers: Bool) async throws {
    let server = echoServer()
    let client = GRPCClient(transport: transport.client)
    let call = Task { try await client.unary("early") }
    await Task.yield()
    if isServers {
      server.beginGracefulShutdown()
      #expect(try await call.value.failure?.code == .unavailable)
      await expect(.serverIsStopped) { try await server.serve() }
    } else {
      client.beginGracefulShutdown()
      // The call was made before the shutdown or after it.
      let failure = try? await call.value.failure
      #expect(failure == nil || failure?.code == .unavailable)
      await expect(.clientIsStopped) { try await client.runConnections() }
    }
  }

  @Test func aShutdownLetsOpenCallsFinish() async throws {
    let started = Latch<Void>()
    let finish = Latch<Void>()
    var router = TextRouter()
    router.onUnary { request, _ in
      started.close(with: ())
      try await finish.value
      return ServerResponse(message: request.message)
    }
    let server = GRPCServer(transport: transport.server, router: router)
    let client = GRPCClient(transport: transport.client)
    async let serving: Void = server.serve()
    async let running: Void = client.runConnections()
    async let response = client.unary("x")
    try await started.value
    client.beginGracefulShutdown()
    server.beginGracefulShutdown()
    finish.close(with: ())
    #expect(try await response.message == "x")
    _ = try await (serving, running)
  }

  @Test(arguments: [false, true])
  func aCancelledEndEndsItsCalls(isServers: Bool) async throws {
    let started = Latch<Void>()
    var router = TextRouter()
    router.onUnary { _, context in
      started.close(with: ())
      try await context.cancellation.cancelled
      return ServerResponse(message: "")
    }
    let server = GRPCServer(transport: transport.server, router: router)
    let client = GRPCClient(transport: transport.client)
    let serving = Task { try await server.serve() }
    let running = Task { try await client.runConnections() }
    let call = Task { try await client.unary("x") }
    try await started.value
    (isServers ? serving : running).cancel()
    #expect(try await call.value.failure?.code == (isServers ? .unavailable : .cancelled))
    client.beginGracefulShutdown()
    server.beginGracefulShutdown()
    try await serving.value
    try await running.value
  }

  @Test func aScopeMayEndBeforeItsStart() async throws {
    for _ in 0..<100 {
      let transport = InProcessTransport()
      let result = try await withGRPCServer(transport: transport.server, services: []) { _ in
        try await withGRPCClient(transport: transport.client) { _ in 1 }
      }
      #expect(result == 1)
    }
  }

  @Test func aScopesErrorComesThrough() async {
    await #expect(throws: CancellationError.self) {
      try await withGRPCServer(transport: transport.server, services: []) { _ in
        try await withGRPCClient(transport: transport.client) { _ in throw CancellationError() }
      }
    }
  }
}
