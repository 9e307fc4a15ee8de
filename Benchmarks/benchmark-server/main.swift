import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import Glibc

/// The value after an option's name.
func option(_ name: String) -> String? {
  guard let index = CommandLine.arguments.firstIndex(of: name) else { return nil }
  return CommandLine.arguments.dropFirst(index + 1).first
}

guard let listen = option("--listen"), let loops = Int(option("--event-loops") ?? "1") else {
  fputs("usage: benchmark-server --listen ADDRESS [--event-loops COUNT]\n", stderr)
  exit(2)
}

do {
  let transport = HTTP2ServerTransport(
    listeningOn: try SocketAddress(parsing: listen), eventLoops: EventLoopGroup(count: loops))
  try await GRPCServer(transport: transport, services: [EchoService()]).serve()
} catch {
  fputs("benchmark-server: \(error)\n", stderr)
  exit(1)
}
