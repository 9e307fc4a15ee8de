import EventLoop
import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// What of a stream's window is given back as a handler takes its request.
@Suite(.timeLimit(.minutes(1))) struct ServerInboundTests {
  @Test func takingTheMetadataGivesNoWindowBackOfMessagesThatWait() async throws {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &pair) == 0)
    let (own, peer) = (pair[0], pair[1])
    let loop = EventLoop(name: "server")
    try await Task(executorPreference: loop) {
      let connection = try ServerConnection(
        descriptor: own, remote: nil, local: .unixDomainSocket(path: "/nowhere"), tls: nil,
        routes: ServerRoutes(everythingTo: .streaming { _, _ in }), configuration: .defaults,
        on: loop, onClose: { _ in })
      let call = ServerCall(connection: connection)
      let inbound = ServerInbound(call: call)
      inbound.append([:])
      for _ in 0..<2 { inbound.append([UInt8](repeating: 7, count: 95), isCompressed: false) }
      inbound.didTake(200)
      var givenBack: [Int] = []
      for _ in 0..<3 {
        _ = try await inbound.next()
        givenBack.append(call.unreportedConsumption)
      }
      #expect(givenBack == [0, 100, 200])
      connection.close()
    }.value
    close(peer)
    await loop.shutdown()
  }
}
