import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite(.timeLimit(.minutes(1))) struct ConnectionWatchTests {
  private final class NoDelegate: ClientConnectionDelegate {
    func connectionIsReady(_ connection: ClientConnection) {}
    func connectionIsLeaving(_ connection: ClientConnection) {}
    func connectionAsksTooOften(_ connection: ClientConnection) {}
    func connectionDidClose(_ connection: ClientConnection) {}
  }

  /// A connection that is made for a handler's call lasts longer than that.
  @Test func aWatchThatBeginsInAHandlersTaskHasNoDeadline() async throws {
    let method = EchoClient.method("Watch")
    let context = ServerContext(
      descriptor: method, remotePeer: "", localPeer: "",
      cancellation: ServerContext.RPCCancellationHandle(), deadline: .now + .seconds(60))
    let loop = EventLoopGroup.shared.next()
    try await Task(executorPreference: loop) {
      let channel = Channel(configuration: .defaults, security: nil, on: loop)
      let connection = try ClientConnection(
        to: .unixDomainSocket(path: "/nowhere"), authority: "localhost", security: nil,
        configuration: .defaults, keepalive: nil, on: loop, delegate: NoDelegate())
      ServerContext.$current.withValue(context) {
        let call = ClientCall(channel: channel, method: method, options: .defaults)
        #expect(call.deadline == context.deadline)
        let watch = ConnectionWatch(method, [], on: connection, channel: channel) { _ in }
        #expect(watch.deadline == nil)
      }
    }.value
  }
}
