import GRPCCore
import GRPCHTTP2Transport
import GRPCProtobuf
import KartTesting
import MeshTesting
import SwiftProtobuf
import Testing

/// gRPC's richer errors, between our runtime and grpcio's package for them.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Installation.hasClients, "make test fetches grpcio"))
struct RichErrorTests {
  private static let method = MethodDescriptor(fullyQualifiedService: "test.Rich", method: "Fail")

  /// The same as in `rich_errors.py`.
  private static let status = GoogleRPCStatus(
    code: .failedPrecondition, message: "The race is over: ☺.",
    details: [
      .errorInfo(
        reason: "RACE_OVER", domain: "kart.example", metadata: ["race": "Finite Loops"]),
      .retryInfo(delay: .milliseconds(1500)),
      .debugInfo(stack: ["a", "b"], detail: "d"),
      .quotaFailure(violations: [.init(subject: "clientip:192.0.2.1", description: "Too many.")]),
      .preconditionFailure(
        violations: [.init(type: "FLAG", subject: "race", description: "It is red.")]),
      .badRequest(violations: [.init(field: "laps", description: "Negative.")]),
      .requestInfo(requestID: "7", servingData: "s"),
      .resourceInfo(type: "race", name: "x", errorDescription: "Gone.", owner: "o"),
      .help(links: [.init(url: "https://kart.example", description: "Read.")]),
      .localizedMessage(locale: "en", message: "Hi."),
    ])

  private struct Service: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: RichErrorTests.method,
        deserializer: ProtobufDeserializer<Google_Protobuf_Empty>(),
        serializer: ProtobufSerializer<Google_Protobuf_Empty>()
      ) { _, _ in throw RichErrorTests.status }
    }
  }

  @Test func grpcioReadsOurs() async throws {
    let folder = TemporaryFolder()
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("s.sock")))
    try await withGRPCServer(transport: transport, services: [Service()]) { _ in
      let address = try await transport.listeningAddress
      let client = try Python.run("rich_errors.py", "call", "\(address)")
      #expect(try await client.exit == .status(0), "\(client.transcript)")
    }
  }

  @Test func weReadGrpcios() async throws {
    let folder = TemporaryFolder()
    let address = "unix:\(folder.file("s.sock"))"
    let server = try Python.run("rich_errors.py", "serve", address)
    try await server.output.first { $0.hasPrefix("listening on ") }
    try await withGRPCClient(transport: HTTP2ClientTransport(target: address)) { client in
      let error = try await client.unary(
        request: ClientRequest(message: Google_Protobuf_Empty()), descriptor: Self.method,
        serializer: ProtobufSerializer<Google_Protobuf_Empty>(),
        deserializer: ProtobufDeserializer<Google_Protobuf_Empty>(), options: .defaults
      ) { response in
        #expect(throws: RPCError.self) { try response.message }
      }
      #expect(error?.code == Self.status.code)
      #expect(error?.message == Self.status.message)
      #expect(try error?.unpackGoogleRPCStatus() == Self.status)
    }
    // It is killed when it is let go of.
    withExtendedLifetime(server) {}
  }
}
