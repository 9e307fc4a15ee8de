import GRPCCore
import GRPCHTTP2Transport

try await withGRPCClient(
  transport: .http2(
    target: .unixDomainSocket(path: "/tmp/greeter.sock"), transportSecurity: .plaintext)
) { client in
  let greeter = Greeter.Client(wrapping: client)

  var options = CallOptions.defaults
  options.timeout = .seconds(2)
  options.waitForReady = true
  let greeting = try await greeter.greet(.with { $0.name = "Ada" }, options: options)
  print(greeting.text)

  try await greeter.countDown(.with { $0.from = 3 }) { response in
    for try await greeting in response.messages { print(greeting.text) }
  }

  do {
    _ = try await greeter.greet(GreetRequest())
  } catch let error as RPCError where error.code == .invalidArgument {
    print(error.message)
  }
}
