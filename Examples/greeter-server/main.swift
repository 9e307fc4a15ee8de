import GRPCCore
import GRPCHTTP2Transport
import GRPCServices

struct GreeterService: Greeter.SimpleServiceProtocol {
  func greet(request: GreetRequest, context: ServerContext) async throws -> Greeting {
    guard !request.name.isEmpty else {
      throw RPCError(code: .invalidArgument, message: "A greeting needs a name.")
    }
    return .with { $0.text = "Hello, \(request.name)!" }
  }

  func countDown(
    request: CountDownRequest, response: RPCWriter<Greeting>, context: ServerContext
  ) async throws {
    for number in (0...max(0, request.from)).reversed() {
      try await response.write(.with { $0.text = number == 0 ? "Go!" : "\(number)" })
      if number > 0 { try await Task.sleep(for: .milliseconds(500)) }
    }
  }
}

let health = HealthService()
health.provider.updateStatus(.serving, forService: Greeter.descriptor)
let reflection = try ReflectionService(files: [File_Greeter.self])
let server = GRPCServer(
  transport: .http2(
    address: .unixDomainSocket(path: "/tmp/greeter.sock"), transportSecurity: .plaintext),
  services: [GreeterService(), health, reflection])
try await server.serve()
