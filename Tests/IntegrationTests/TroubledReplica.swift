import GRPCCore
import GRPCHTTP2Transport
import Synchronization

/// What a test does to a replica of a service, and what it has seen there.
final class TroubledReplica: Sendable {
  enum Trouble: CaseIterable, Sendable {
    case fails
    case isSlow
    case neverAnswers
  }

  private struct State {
    var trouble: Trouble?
    var calls = 0
  }

  private let state = Mutex(State())

  /// How often it was called.
  var calls: Int { state.withLock(\.calls) }

  /// Is in trouble from now on.
  func begin(_ trouble: Trouble) { state.withLock { $0.trouble = trouble } }

  /// Is well from now on.
  func heal() { state.withLock { $0.trouble = nil } }

  /// A call comes, and bears the trouble before it is answered.
  func takeCall() async throws {
    let trouble = state.withLock { state in
      state.calls += 1
      return state.trouble
    }
    if trouble == .isSlow { try await Task.sleep(for: .seconds(1)) }
    try await goOn()
  }

  /// A call whose answer has begun goes on, if it does.
  func goOn() async throws {
    switch state.withLock(\.trouble) {
    case nil, .isSlow: break
    case .fails: throw RPCError(code: .internalError, message: "The disk is on fire.")
    case .neverAnswers: try await Task.sleep(for: .seconds(3600))
    }
  }
}
