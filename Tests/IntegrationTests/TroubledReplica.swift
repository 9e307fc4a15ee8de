import GRPCCore
import GRPCHTTP2Transport
import GRPCProtobuf
import KartAPI
import Synchronization

/// A replica of the schedule service that a test makes misbehave. Its list holds one race.
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

  fileprivate func answer() async throws -> ListRacesResponse {
    let trouble = state.withLock { state in
      state.calls += 1
      return state.trouble
    }
    switch trouble {
    case nil: break
    case .fails: throw RPCError(code: .internalError, message: "The disk is on fire.")
    case .isSlow: try await Task.sleep(for: .seconds(1))
    case .neverAnswers: try await Task.sleep(for: .seconds(3600))
    }
    return .with { $0.races = [.with { $0.name = "Troubled" }] }
  }
}

extension TroubledReplica: RegistrableRPCService {
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerUnaryHandler(
      forMethod: Swiftkart_Schedule_V1_RaceScheduleService.Method.ListUpcomingRaces.descriptor,
      deserializer: ProtobufDeserializer<ListRacesRequest>(),
      serializer: ProtobufSerializer<ListRacesResponse>()
    ) { _, _ in ServerResponse(message: try await self.answer()) }
  }
}
