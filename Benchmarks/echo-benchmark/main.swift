import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import Glibc

func fail(_ message: String, status: Int32) -> Never {
  let line = Array("\(message)\n".utf8)
  write(STDERR_FILENO, line, line.count)
  exit(status)
}

func serve(_ arguments: Arguments) async throws {
  let address = try SocketAddress(parsing: try arguments.text("listen"))
  let loops = arguments["event-loops"] == nil ? 1 : try arguments.number("event-loops")
  let transport = HTTP2ServerTransport(
    listeningOn: address, eventLoops: EventLoopGroup(count: loops))
  try await GRPCServer(transport: transport, services: [EchoService()]).serve()
}

/// Prints how many heap allocations a unary call takes the server, which has one loop.
func countAllocations(_ arguments: Arguments) async throws {
  let transport = try HTTP2ClientTransport(target: try arguments.text("target"))
  let count = try arguments.number("count")
  try await withGRPCClient(transport: transport) { client in
    let calls = EchoCalls(client: client, count: count, payload: 16)
    _ = try await calls.run(.unary)
    let before = try await calls.allocations()
    _ = try await calls.run(.unary)
    let after = try await calls.allocations()
    // The call that asks is one, too.
    print(Double(after - before) / Double(count + 1))
  }
}

do {
  let arguments = try Arguments()
  switch arguments.verb {
  case "serve": try await serve(arguments)
  case "call": try await Rounds(arguments).run()
  case "allocations": try await countAllocations(arguments)
  default: throw Arguments.Wrong()
  }
} catch let error as Arguments.Wrong {
  fail("\(error)", status: 2)
} catch {
  fail("echo-benchmark: \(error)", status: 1)
}
