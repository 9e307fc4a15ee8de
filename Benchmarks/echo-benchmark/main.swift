import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import Glibc

/// The value after an option's name.
func option(_ name: String) -> String? {
  guard let index = CommandLine.arguments.firstIndex(of: name) else { return nil }
  return CommandLine.arguments.dropFirst(index + 1).first
}

func fail(_ message: String, status: Int32) -> Never {
  let line = Array("\(message)\n".utf8)
  write(STDERR_FILENO, line, line.count)
  exit(status)
}

guard let listen = option("--listen"), let loops = Int(option("--event-loops") ?? "1") else {
  fail("usage: benchmark-server --listen ADDRESS [--event-loops COUNT]", status: 2)
}

do {
  let transport = HTTP2ServerTransport(
    listeningOn: try SocketAddress(parsing: listen), eventLoops: EventLoopGroup(count: loops))
  try await GRPCServer(transport: transport, services: [EchoService()]).serve()
} catch {
  fail("benchmark-server: \(error)", status: 1)
}
