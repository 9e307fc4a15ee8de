import GRPCCore
import GRPCHTTP2Transport
import GRPCProtobuf
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// What `kart` says of its version.
@Suite(.wholeMachine, .timeLimit(.minutes(5))) struct VersionTests {
  /// A gateway without races, which takes down who asks for them.
  private struct EmptyGateway: RegistrableRPCService {
    let agent: Latch<String>

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerUnaryHandler(
        forMethod: SwiftKartService.Method.ListRaces.descriptor,
        deserializer: ProtobufDeserializer<ListRacesRequest>(),
        serializer: ProtobufSerializer<ListRacesResponse>()
      ) { request, _ in
        agent.close(with: Array(request.metadata[stringValues: "user-agent"]).joined())
        return ServerResponse(message: .init())
      }
    }
  }

  @Test func usersAndServersAreToldTheSame() async throws {
    let kart = try Installation.executable("kart")
    let folder = TemporaryFolder()
    let gateway = EmptyGateway(agent: Latch())
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("gateway.sock")))
    try await withGRPCServer(transport: transport, services: [gateway]) { _ in
      let target = "unix:\(folder.file("gateway.sock"))"
      let races = try RunningProcess(kart, ["races", "--target", target])
      #expect(try await races.exit == .status(0), "\(races.transcript)")
    }
    let version = try RunningProcess(kart, ["--version"])
    _ = try await version.exit
    let number = try #require(version.output.lines.first).dropFirst("kart ".count)
    #expect(gateway.agent.current == "grpc-swiftkart/\(number)")
  }
}
