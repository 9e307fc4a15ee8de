import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import GRPCInterop
import KartProcess

Termination.prepare()

let port = Option<Int>.integer(
  "port", default: 0, in: 0...65535, help: "The TCP port to listen on; 0 takes one that is free.")
let unix = Option<String>.text(
  "unix", "PATH", help: "The path of the Unix domain socket to listen on, instead of a port."
).optional
let eventLoops = Option<Int>.integer(
  "event-loops", default: EventLoopGroup.processorCount, in: 1...1024,
  help: "How many threads serve connections.")

var command = Command(
  name: "interop-server", summary: "Serves the cases by which gRPC implementations test each other."
)
command.discussion = """
  It serves grpc.testing.TestService and grpc.testing.BenchmarkService, and prints a line with its
  address once it does.
  """
command.options = [port, unix, eventLoops]
command.run = { arguments in
  let address: SocketAddress
  if let path = try arguments[unix] {
    address = .unixDomainSocket(path: path)
  } else {
    address = .ipv4(host: "127.0.0.1", port: try arguments[port])
  }
  let transport = HTTP2ServerTransport(
    listeningOn: address, eventLoops: EventLoopGroup(count: try arguments[eventLoops]))
  let server = GRPCServer(
    transport: transport, services: [InteropService(), BenchmarkService()])
  try await Termination.withSignals(on: EventLoopGroup.shared.next()) { signals in
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        for await _ in signals { server.beginGracefulShutdown() }
      }
      group.addTask {
        try StandardOutput.write("listening on \(await transport.listeningAddress)\n")
      }
      try await server.serve()
      group.cancelAll()
    }
  }
}
command.runAndExit()
