import GRPCCore
import GRPCHTTP2Transport
import GRPCProtobuf
import Glibc
import KartAPI
import KartTesting
import MeshTesting
import Testing

/// How processes end that are asked to.
@Suite(.wholeMachine, .timeLimit(.minutes(5))) struct TerminationTests {
  /// A gateway whose races have one event, of more bytes than a pipe holds.
  private struct LoudGateway: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      router.registerHandler(
        forMethod: SwiftKartService.Method.FollowRace.descriptor,
        deserializer: ProtobufDeserializer<FollowRaceRequest>(),
        serializer: ProtobufSerializer<FollowRaceResponse>()
      ) { request, _ in
        StreamingServerResponse { writer in
          try await writer.write(
            .with {
              $0.sequence = 1
              $0.locations.karts = (1...20_000).map { number in .with { $0.number = number } }
            })
          for try await _ in request.messages {}
          return [:]
        }
      }
    }
  }

  @Test func anOutputThatNobodyReadsKeepsNoProcess() async throws {
    let folder = TemporaryFolder()
    let address = "unix:\(folder.file("gateway.sock"))"
    let output = try UnreadPipe()
    let transport = HTTP2ServerTransport(
      listeningOn: .unixDomainSocket(path: folder.file("gateway.sock")))
    try await withGRPCServer(transport: transport, services: [LoudGateway()]) { _ in
      let follow = try RunningProcess(
        "/bin/sh", ["-c", "exec \"$0\" follow Loud >\"$1\"", try kart, output.path],
        environment: ["KART_TARGET": address])
      while !output.isFull { await Task.yield() }
      follow.send(signal: SIGTERM)
      #expect(try await follow.exit == .signal(SIGTERM), "\(follow.transcript)")
    }
  }

  @Test func anInputThatDoesNotEndKeepsNoProcess() async throws {
    let feed = try RunningProcess(
      try kart, ["feed", "rmonitor", "--race", "Endless", "--file", "-"])
    // More than a pipe holds: it is written once some of it was read.
    try feed.write(String(repeating: "$F,9999\n", count: 1 << 14))
    feed.send(signal: SIGINT)
    #expect(try await feed.exit == .signal(SIGINT), "\(feed.transcript)")
  }

  @Test func aProcessWhoseSupervisorIsGoneDoesNotBegin() async throws {
    let folder = TemporaryFolder()
    let service = try RunningProcess(
      try Installation.executable("schedule-service"), arguments(in: folder),
      environment: ["KART_SUPERVISOR": "\(getppid())"])
    #expect(try await service.exit == .status(0), "\(service.transcript)")
  }

  @Test func whatAProcessWasStartedToIgnoreItIgnores() async throws {
    let folder = TemporaryFolder()
    let service = try RunningProcess(
      "/bin/sh",
      [
        "-c", "trap '' HUP; exec \"$0\" \"$@\"",
        try Installation.executable("schedule-service"),
      ] + arguments(in: folder))
    try await service.errorOutput.first { $0.contains(" serving ") }
    service.send(signal: SIGHUP)
    service.send(signal: SIGTERM)
    let (_, line) = try await service.errorOutput.first { $0.contains(" draining ") }
    #expect(line.hasSuffix("signal=\(SIGTERM)"))
    #expect(try await service.exit == .status(0), "\(service.transcript)")
  }

  private func arguments(in folder: TemporaryFolder) -> [String] {
    [
      "--listen", "unix:\(folder.file("schedule.sock"))", "--database",
      folder.file("schedule.sqlite"),
    ]
  }

  private var kart: String {
    get throws { try Installation.executable("kart") }
  }
}
