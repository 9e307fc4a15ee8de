import GRPCCore
import KartAPI
import KartTesting

/// A schedule that knows one race until any is deleted, or fails.
struct ScriptedSchedule: RegistrableRPCService {
  var race = "Race"
  var failingWith: RPCError.Code?
  /// Comes before each answer about a race.
  var beforeAnswer: @Sendable () async throws -> Void = {}
  let isDeleted = Latch<Void>()

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerUnaryHandler(
      forMethod: Swiftkart_Schedule_V1_RaceScheduleService.Method.GetRace.descriptor,
      deserializer: SerializedMessages(), serializer: SerializedMessages()
    ) { request, _ in
      try await beforeAnswer()
      if let failingWith { throw RPCError(code: failingWith, message: "as told") }
      let name = try Swiftkart_Schedule_V1_GetRaceRequest(serializedBytes: request.message).name
      guard ExactName(name) == ExactName(race), isDeleted.current == nil else {
        throw RPCError(code: .notFound, message: "no such race")
      }
      return ServerResponse(message: [])
    }
    router.registerUnaryHandler(
      forMethod: Swiftkart_Schedule_V1_RaceScheduleService.Method.DeleteRace.descriptor,
      deserializer: SerializedMessages(), serializer: SerializedMessages()
    ) { _, _ in
      isDeleted.close(with: ())
      return ServerResponse(message: [])
    }
  }
}
