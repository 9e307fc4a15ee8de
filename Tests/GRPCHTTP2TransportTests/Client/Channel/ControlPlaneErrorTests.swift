import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Which codes a call may fail with that got no further than its channel (A54).
@Suite(.timeLimit(.minutes(1))) struct ControlPlaneErrorTests {
  private let socket = TestSocket()

  /// Fails every call.
  private struct Failing: LoadBalancingPolicy {
    static let name = "failing"
    let error: RPCError

    mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
      LoadBalancingDecision(state: .transientFailure, picker: FixedPicker(.fail(error)))
    }
  }

  private static let codes = (1...16).compactMap { Status.Code(rawValue: $0) }

  @Test(arguments: codes) func codesOfServicesAreTheirs(status: Status.Code) async throws {
    let code = try #require(RPCError.Code(status))
    let reserved: Set<RPCError.Code> = [
      .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .aborted, .outOfRange,
      .dataLoss,
    ]
    var configuration = socket.configuration
    configuration.loadBalancing = Failing(error: RPCError(code: code, message: "no way"))
    try await withGRPCClient(transport: try socket.transport(configuration)) { client in
      let response = try await EchoClient(client: client).unary([1])
      let error = try #require(throws: RPCError.self) { try response.message }
      #expect(error.code == (reserved.contains(code) ? .internalError : code))
      #expect(error.message.contains("no way"))
    }
  }
}
