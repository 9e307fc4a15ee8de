import GRPCCore
import GRPCHTTP2Transport
import GRPCInterop
import KartProcess

Termination.prepare()

let host = Option<String>.text(
  "server_host", "HOST", default: "localhost", help: "The server's host.")
let port = Option<Int>.integer(
  "server_port", default: 0, in: 0...65535, help: "The server's TCP port.")
let unix = Option<String>.text(
  "unix", "PATH", help: "The path of the server's Unix domain socket, instead of a host and a port."
).optional
let useTLS = Option<Bool>.truth("use_tls", help: "Whether connections are protected with TLS.")
let authority = Option<String>.text(
  "ca_file", "PATH",
  help: "The root that the server's certificate comes from, in PEM."
).optional
let useTestAuthority = Option<Bool>.truth(
  "use_test_ca", default: true,
  help:
    "Whether to trust interop-server's own root where no other is named, instead of those that the system "
    + "trusts.")
let hostOverride = Option<String>.text(
  "server_host_override", "NAME", help: "The name that the server's certificate is to have."
).optional
let testCase = Option<InteropCase?>.value(
  "test_case", "CASE", default: .some(nil), defaultText: "every one",
  help: "The case to run, such as large_unary.", expecting: "the name of a case"
) { InteropCase(rawValue: $0).map(Optional.some) }
let compressionProbe = Option<Bool>.truth(
  "compression_probe", default: true,
  help:
    "Whether client_compressed_unary and client_compressed_streaming make sure first that the server can tell "
    + "what came compressed.")
let soak = SoakOptions()

func tls(_ arguments: Arguments) throws -> HTTP2ClientTransport.TransportSecurity {
  let root = try arguments[authority]
  let name = try arguments[hostOverride]
  let usesTestAuthority = try arguments[useTestAuthority]
  return .tls { tls in
    if let root {
      tls.trustRoots = .certificates([.file(path: root)])
    } else if usesTestAuthority {
      tls.trustRoots = .certificates([.bytes(Array(TestCredentials.authority.utf8))])
    }
    tls.serverName = name
  }
}

var command = Command(
  name: "interop-client",
  summary: "Runs the cases by which gRPC implementations test each other against a server.")
command.discussion = """
  The cases:
  \(InteropCase.allCases.map { "  \($0.rawValue)" }.joined(separator: "\n"))
  """
command.options =
  [host, port, unix, useTLS, authority, useTestAuthority, hostOverride, testCase, compressionProbe]
  + soak.all
command.run = { arguments in
  let target: any ResolvableTarget
  if let path = try arguments[unix] {
    target = .unixDomainSocket(path: path)
  } else {
    target = .dns(host: try arguments[host], port: try arguments[port])
  }
  let security = try arguments[useTLS] ? tls(arguments) : .plaintext
  let client = InteropClient<HTTP2ClientTransport>(
    soak: try soak.settings(arguments), probesCompression: try arguments[compressionProbe]
  ) { body in
    try await withGRPCClient(
      transport: .http2(target: target, transportSecurity: security), handleClient: body)
  }
  let cases = try arguments[testCase].map { [$0] } ?? InteropCase.allCases
  let done: Void? = try await Termination.interrupting {
    for interopCase in cases {
      do {
        try await client.run(interopCase)
      } catch {
        throw CaseFailure(description: "\(interopCase.rawValue) failed: \(error)")
      }
      try StandardOutput.write("\(interopCase.rawValue) passed\n")
    }
  }
  if done == nil { throw CaseFailure(description: "interrupted") }
}
command.runAndExit()

struct CaseFailure: Error, CustomStringConvertible {
  var description: String
}
