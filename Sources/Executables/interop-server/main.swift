import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import GRPCInterop
import GRPCServices
import KartProcess

Termination.prepare()

let port = Option<Int>.integer(
  "port", default: 0, in: 0...65535, help: "The TCP port to listen on; 0 takes one that is free.")
let unix = Option<String>.text(
  "unix", "PATH", help: "The path of the Unix domain socket to listen on, instead of a port."
).optional
let useTLS = Option<Bool>.truth(
  "use_tls", help: "Whether connections are protected with TLS.")
let certificate = Option<String>.text(
  "tls_cert_file", "PATH",
  help:
    "The server's certificate and what is between it and the root, in PEM, instead of one for tests."
).optional
let key = Option<String>.text(
  "tls_key_file", "PATH", help: "The certificate's private key, in PEM."
).optional
let eventLoops = Option<Int>.integer(
  "event-loops", default: EventLoopGroup.processorCount, in: 1...1024,
  help: "How many threads serve connections.")

var command = Command(
  name: "interop-server", summary: "Serves the cases by which gRPC implementations test each other."
)
command.discussion = """
  It serves grpc.testing.TestService, grpc.testing.BenchmarkService and channelz, and prints a line with
  its address once it does.
  """
command.options = [port, unix, useTLS, certificate, key, eventLoops]
command.run = { arguments in
  let address: SocketAddress
  if let path = try arguments[unix] {
    address = .unixDomainSocket(path: path)
  } else {
    address = .ipv4(host: "127.0.0.1", port: try arguments[port])
  }
  var security = HTTP2ServerTransport.TransportSecurity.plaintext
  if try arguments[useTLS] {
    switch (try arguments[certificate], try arguments[key]) {
    case (let certificate?, let key?):
      security = .tls(certificateChain: [.file(path: certificate)], privateKey: .file(path: key))
    case (nil, nil):
      security = .tls(
        certificateChain: [.bytes(Array(TestCredentials.certificate.utf8))],
        privateKey: .bytes(Array(TestCredentials.key.utf8)))
    default:
      throw UsageError("--tls_cert_file and --tls_key_file go together")
    }
  }
  let transport = HTTP2ServerTransport(
    listeningOn: address, transportSecurity: security,
    eventLoops: EventLoopGroup(count: try arguments[eventLoops]))
  let server = GRPCServer(
    transport: transport,
    services: [InteropService(), BenchmarkService(), ChannelzService(servers: [transport])])
  try await Termination.withSignals { signals in
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
