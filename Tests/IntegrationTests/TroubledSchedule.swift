import GRPCCore
import GRPCProtobuf
import KartAPI

/// A replica of the schedule service, whose list holds one race.
struct TroubledSchedule: RegistrableRPCService {
  let replica: TroubledReplica

  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.registerUnaryHandler(
      forMethod: Swiftkart_Schedule_V1_RaceScheduleService.Method.ListUpcomingRaces.descriptor,
      deserializer: ProtobufDeserializer<ListRacesRequest>(),
      serializer: ProtobufSerializer<ListRacesResponse>()
    ) { [replica] _, _ in
      try await replica.takeCall()
      return ServerResponse(message: .with { $0.races = [.with { $0.name = "Troubled" }] })
    }
  }
}
