import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// What a channel does about policies that are not its own.
@Suite(.timeLimit(.minutes(1))) struct CustomPolicyTests {
  private let socket = TestSocket()

  /// Connects to nothing, whoever waits.
  private struct Sleeper: LoadBalancingPolicy {
    static var name: String { "sleeper" }

    mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
      LoadBalancingDecision(state: .idle, picker: FixedPicker(.wait))
    }
  }

  @Test func aPolicyThatStaysIdleKeepsItsCallsWaiting() async throws {
    var configuration = socket.configuration
    configuration.loadBalancing = Sleeper()
    let transport = try socket.transport(configuration)
    try await withGRPCClient(transport: transport) { client in
      var options = CallOptions.defaults
      options.timeout = .milliseconds(20)
      for _ in 0..<2 {
        let response = try await EchoClient(client: client).unary([1], options: options)
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .deadlineExceeded)
      }
    }
  }
}
