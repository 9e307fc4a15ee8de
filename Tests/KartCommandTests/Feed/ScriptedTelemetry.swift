import GRPCCore
import KartAPI
import Synchronization

/// A telemetry service whose Record calls go as they are told to, one after another, and well once
/// there is nothing left to tell.
final class ScriptedTelemetry: Swiftkart_Telemetry_V1_RaceTelemetryService.SimpleServiceProtocol {
  typealias Batch = Swiftkart_Telemetry_V1_RecordRequest

  enum Turn: Sendable {
    /// Takes so many of the call's batches to the disk, and then fails.
    case fail(RPCError.Code, afterTaking: Int = 0)
    /// Takes everything, and says that this number is on disk.
    case answer(UInt64)
  }

  private struct State {
    var turns: [Turn]
    var durable: UInt64
    var calls: [[UInt64]] = []
    var batches: [Batch] = []
    var progressFailures: [RPCError.Code] = []

    mutating func take(_ batches: ArraySlice<Batch>) {
      for batch in batches where batch.number == durable + 1 {
        self.batches.append(batch)
        durable += 1
      }
    }
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - turns: How Record calls go.
  ///   - durable: How many batches are on disk already.
  ///   - progressFailures: How the first GetProgress calls fail.
  init(_ turns: [Turn] = [], durable: UInt64 = 0, progressFailures: [RPCError.Code] = []) {
    state = Mutex(State(turns: turns, durable: durable, progressFailures: progressFailures))
  }

  /// The numbers that each Record call brought.
  var calls: [[UInt64]] { state.withLock { $0.calls } }
  /// What is on disk.
  var batches: [Batch] { state.withLock { $0.batches } }

  func record(
    request: RPCAsyncSequence<Batch, any Error>, context: ServerContext
  ) async throws -> Swiftkart_Telemetry_V1_RecordResponse {
    var batches: [Batch] = []
    for try await batch in request { batches.append(batch) }
    return try state.withLock { state in
      state.calls.append(batches.map(\.number))
      let turn = state.turns.isEmpty ? nil : state.turns.removeFirst()
      if case .fail(let code, let taken) = turn {
        state.take(batches.prefix(taken))
        throw RPCError(code: code, message: "as told")
      }
      state.take(batches[...])
      return .with {
        if case .answer(let number) = turn {
          $0.durableThrough = number
        } else {
          $0.durableThrough = state.durable
        }
      }
    }
  }

  func getProgress(
    request: Swiftkart_Telemetry_V1_GetProgressRequest, context: ServerContext
  ) async throws -> Swiftkart_Telemetry_V1_GetProgressResponse {
    try state.withLock { state in
      if !state.progressFailures.isEmpty {
        throw RPCError(code: state.progressFailures.removeFirst(), message: "as told")
      }
      return .with { $0.durableThrough = state.durable }
    }
  }
}
