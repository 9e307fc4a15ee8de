import GRPCCore
import Glibc
import KartTesting
import MeshTesting
import Testing

@testable import GRPCHTTP2Transport

/// TLS with programs that nobody here wrote.
@Suite(.timeLimit(.minutes(2))) struct TLSPeersTests {
  private let authority = TestAuthority()
  private let folder = TemporaryFolder()

  private static let script =
    "\(Installation.package)/Tests/GRPCHTTP2TransportTests/TLS/tls_peer.py"

  private static func has(_ program: String) -> Bool { access(program, X_OK) == 0 }

  /// A server that knows clients by their certificates; the folder holds one.
  private func withServer(
    mutual: Bool = false, _ body: (_ port: Int) async throws -> Void
  ) async throws {
    authority.issue("peer").write(to: folder.path)
    TemporaryFolder.write(authority.root, to: "\(folder.path)/root.pem")
    let identity = authority.issue("server")
    let security = HTTP2ServerTransport.TransportSecurity.tls(
      certificateChain: identity.chain, privateKey: identity.privateKey
    ) {
      if mutual { $0.clientCertificateVerification = .noHostnameVerification }
      $0.trustRoots = authority.trust
    }
    try await EchoServer.with(security: security) { address in
      try await body(try #require(address.ipv4?.port))
    }
  }

  private func run(
    _ program: String, _ arguments: [String], input: String? = nil
  ) async throws -> (exit: RunningProcess.Exit, transcript: String) {
    let process = try RunningProcess(program, arguments)
    if let input { try process.write(input) }
    try process.closeInput()
    return (try await process.exit, process.transcript)
  }

  @Test(.enabled(if: Installation.hasClients, "make test fetches grpcio"))
  func grpcioCallsUs() async throws {
    try await withServer(mutual: true) { port in
      let (exit, transcript) = try await run(
        Installation.client("python"), [Self.script, "call", "localhost:\(port)", folder.path])
      #expect(exit == .status(0), "\(transcript)")
      #expect(transcript.contains("peer CN=peer"))
    }
  }

  @Test(.enabled(if: Installation.hasClients, "make test fetches grpcio"))
  func weCallGRPCIO() async throws {
    authority.issue("server").write(to: folder.path)
    TemporaryFolder.write(authority.root, to: "\(folder.path)/root.pem")
    let server = try RunningProcess(
      Installation.client("python"), [Self.script, "serve", folder.path])
    let (_, line) = try await server.output.first { $0.hasPrefix("port ") }
    let us = authority.issue("us")
    let security = HTTP2ClientTransport.TransportSecurity.mTLS(
      certificateChain: us.chain, privateKey: us.privateKey
    ) { $0.trustRoots = authority.trust }
    let transport = try HTTP2ClientTransport(
      target: "ipv4:127.0.0.1:\(line.dropFirst(5))", transportSecurity: security)
    try await withGRPCClient(transport: transport) { client in
      let message = [UInt8](repeating: 7, count: 100_000)
      let response = try await EchoClient(client: client).unary(message)
      #expect(try response.message == message)
      #expect(Array(response.metadata[stringValues: "peer"]) == ["us"])
    }
    try server.closeInput()
    #expect(try await server.exit == .status(0), "\(server.transcript)")
  }

  @Test(
    .enabled(if: has("/usr/bin/curl"), "there is no curl"),
    arguments: [["--tlsv1.3"], ["--tls-max", "1.2"], ["--http1.1"]])
  func curlCallsUs(options: [String]) async throws {
    try await withServer { port in
      TemporaryFolder.write([0, 0, 0, 0, 2, 1, 2], to: "\(folder.path)/request")
      let (exit, transcript) = try await run(
        "/usr/bin/curl",
        [
          "--silent", "--show-error", "--http2", "--cacert", "\(folder.path)/root.pem",
          "--data-binary",
          "@\(folder.path)/request", "--header", "content-type: application/grpc", "--header",
          "te: trailers", "--dump-header", "-", "--output", "\(folder.path)/response",
        ] + options + ["https://localhost:\(port)/test.Echo/Unary"])
      if options == ["--http1.1"] {
        #expect(exit != .status(0), "\(transcript)")
      } else {
        #expect(exit == .status(0), "\(transcript)")
        #expect(transcript.contains("HTTP/2 200"))
        #expect(try FileContents.read("\(folder.path)/response") == [0, 0, 0, 0, 2, 1, 2])
      }
    }
  }

  @Test(
    .enabled(if: has("/usr/bin/openssl"), "there is no openssl"), arguments: ["-tls1_2", "-tls1_3"])
  func opensslResumesItsSession(version: String) async throws {
    try await withServer { port in
      let arguments = [
        "s_client", version, "-connect", "127.0.0.1:\(port)", "-servername", "localhost",
        "-verify_hostname", "localhost", "-alpn", "http/1.1,h2", "-CAfile",
        "\(folder.path)/root.pem", "-ign_eof",
      ]
      let session = "\(folder.path)/session"
      // No HTTP/2: the server says goodbye, after the tickets.
      let first = try await run(
        "/usr/bin/openssl", arguments + ["-sess_out", session], input: "nothing of HTTP/2 here\n")
      #expect(first.transcript.contains("ALPN protocol: h2"), "\(first.transcript)")
      #expect(first.transcript.contains("Verify return code: 0 (ok)"))
      #expect(first.transcript.contains("New, TLSv1."))
      let second = try await run(
        "/usr/bin/openssl", arguments + ["-sess_in", session], input: "nothing of HTTP/2 here\n")
      #expect(second.transcript.contains("Reused, TLSv1."), "\(second.transcript)")
    }
  }

  @Test(
    .enabled(if: has("/usr/bin/openssl"), "there is no openssl"),
    arguments: [
      ["-alpn", "http/1.1"], ["-tls1_1"], ["-alpn", "h2", "-cipher", "AES128-SHA", "-tls1_2"],
    ])
  func opensslIsRefused(options: [String]) async throws {
    try await withServer { port in
      let (exit, transcript) = try await run(
        "/usr/bin/openssl", ["s_client", "-connect", "127.0.0.1:\(port)"] + options)
      #expect(exit != .status(0), "\(transcript)")
      #expect(transcript.contains("alert") || transcript.contains("no protocols"), "\(transcript)")
    }
  }
}
