import FoundationEssentials
import GRPCCore
import GRPCProtobuf
import KartAPI
import KartProcess
import SwiftProtobuf

/// Serves the schedule.
package struct RaceScheduleProvider: RegistrableRPCService {
  private static let maximumPageSize: Int32 = 1_000
  private static let maximumImport = 1_000
  // Well below the 4 MiB that a message may have.
  private static let maximumPageBytes = 1 << 20

  private let schedule: Schedule
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - schedule: The schedule.
  ///   - now: The clock that tells when a race was marked as finished.
  package init(schedule: Schedule, now: @escaping @Sendable () -> Date = { Date.now }) {
    self.schedule = schedule
    self.now = now
  }

  /// Registers the service's methods. The answer to ListUpcomingRaces is kept as bytes, and sent as them.
  package func registerMethods<Transport: ServerTransport>(
    with router: inout RPCRouter<Transport>
  ) {
    typealias Method = Swiftkart_Schedule_V1_RaceScheduleService.Method
    register(Method.CreateRace.descriptor, with: &router, create)
    register(Method.GetRace.descriptor, with: &router, get)
    register(Method.UpdateRace.descriptor, with: &router, update)
    register(Method.DeleteRace.descriptor, with: &router, delete)
    register(Method.FinishRace.descriptor, with: &router, finish)
    register(Method.ListScheduledRaces.descriptor, with: &router, listScheduled)
    register(Method.ImportRaces.descriptor, with: &router, importRaces)
    router.registerUnaryHandler(
      forMethod: Method.ListUpcomingRaces.descriptor,
      deserializer: ProtobufDeserializer<ListRacesRequest>(),
      serializer: SerializedMessages()
    ) { request, _ in
      ServerResponse(message: try await listUpcoming(request.message))
    }
  }

  private func register<Transport: ServerTransport, Input: Message, Output: Message>(
    _ method: MethodDescriptor, with router: inout RPCRouter<Transport>,
    _ handler: @escaping @Sendable (Input) async throws -> Output
  ) {
    router.registerUnaryHandler(
      forMethod: method, deserializer: ProtobufDeserializer<Input>(),
      serializer: ProtobufSerializer<Output>()
    ) { request, _ in
      ServerResponse(message: try await handler(request.message))
    }
  }

  @Sendable private func create(
    _ request: Swiftkart_Schedule_V1_CreateRaceRequest
  ) async throws -> Swiftkart_Schedule_V1_CreateRaceResponse {
    let race = try StoredRace(request.race, path: "race")
    try await schedule.create(race)
    return try .with { $0.race = try .init(race) }
  }

  @Sendable private func get(
    _ request: Swiftkart_Schedule_V1_GetRaceRequest
  ) async throws -> Swiftkart_Schedule_V1_GetRaceResponse {
    try checkName(request.name)
    let race = try await schedule.race(named: request.name)
    return try .with { $0.race = try .init(race) }
  }

  @Sendable private func update(
    _ request: Swiftkart_Schedule_V1_UpdateRaceRequest
  ) async throws -> Swiftkart_Schedule_V1_UpdateRaceResponse {
    let race = try await schedule.update(try StoredRace(request.race, path: "race"))
    return try .with { $0.race = try .init(race) }
  }

  @Sendable private func delete(
    _ request: Swiftkart_Schedule_V1_DeleteRaceRequest
  ) async throws -> Swiftkart_Schedule_V1_DeleteRaceResponse {
    try checkName(request.name)
    try await schedule.delete(name: request.name)
    return .init()
  }

  @Sendable private func finish(
    _ request: Swiftkart_Schedule_V1_FinishRaceRequest
  ) async throws -> Swiftkart_Schedule_V1_FinishRaceResponse {
    try checkName(request.name)
    let moment = StoredRace.Moment(Google_Protobuf_Timestamp(date: now()))
    let race = try await schedule.finish(name: request.name, at: moment)
    return try .with { $0.race = try .init(race) }
  }

  @Sendable private func listScheduled(
    _ request: Swiftkart_Schedule_V1_ListScheduledRacesRequest
  ) async throws -> Swiftkart_Schedule_V1_ListScheduledRacesResponse {
    guard (1...Self.maximumPageSize).contains(request.pageSize) else {
      throw RPCError(
        code: .invalidArgument,
        message: "page_size is \(request.pageSize); a page holds 1 to \(Self.maximumPageSize)")
    }
    let token = SchedulePageToken(request.pageToken)
    guard token != nil || request.pageToken.isEmpty else {
      throw RPCError(
        code: .invalidArgument,
        message: "page_token is none that this service gave; leave it empty for the first page")
    }
    let (page, next) = try await schedule.races(
      after: token, limit: Int(request.pageSize), bytes: Self.maximumPageBytes)
    return try .with {
      $0.races = try page.map { try .init($0) }
      $0.nextPageToken = next?.text ?? ""
    }
  }

  @Sendable private func importRaces(
    _ request: Swiftkart_Schedule_V1_ImportRacesRequest
  ) async throws -> Swiftkart_Schedule_V1_ImportRacesResponse {
    guard request.races.count <= Self.maximumImport else {
      throw RPCError(
        code: .invalidArgument,
        message: "races has \(request.races.count) entries; a call takes at most "
          + "\(Self.maximumImport)")
    }
    var names: Set<ExactName> = []
    let races = try request.races.enumerated().map { index, scheduled in
      let race = try StoredRace(scheduled, path: "races[\(index)]")
      guard names.insert(ExactName(race.name)).inserted else {
        throw RPCError(
          code: .invalidArgument,
          message: "races[\(index)].race.name is \(race.name.quotedName) for a second time")
      }
      return race
    }
    if request.validateOnly { return .init() }
    let (created, replaced) = try await schedule.importRaces(races)
    return .with {
      $0.created = Int32(created)
      $0.replaced = Int32(replaced)
    }
  }

  private func listUpcoming(_ request: ListRacesRequest) async throws -> [UInt8] {
    guard request.limit >= 0 else {
      throw RPCError(
        code: .invalidArgument,
        message: "limit is \(request.limit); leave it unset for 100 races, or ask for 0 or more")
    }
    return try await schedule.upcomingRaces(limit: request.limit)
  }

  private func checkName(_ name: String) throws(RPCError) {
    guard !name.isEmpty else {
      throw RPCError(code: .invalidArgument, message: "name is empty")
    }
  }
}
