import GRPCCore
import KartAPI
import KartProcess

/// Brings whole schedules in and out, in calls that carry as much as one may.
struct ScheduleTransfer<Transport: ClientTransport>: Sendable {
  typealias Service = Swiftkart_Schedule_V1_RaceScheduleService.Client<Transport>
  typealias ScheduledRace = Swiftkart_Schedule_V1_ScheduledRace

  /// How many races a call carries at most.
  static var racesPerCall: Int { 1000 }
  /// How many bytes of races a call carries at most, well below the 4 MiB that a message may have.
  static var bytesPerCall: Int { 1 << 20 }

  /// What an import did.
  struct Outcome: Hashable, Sendable {
    var created = 0
    var replaced = 0

    var total: Int { created + replaced }
  }

  /// An import that ended before all races were in.
  struct Interrupted: Error, CustomStringConvertible {
    var done: Int
    var total: Int
    var failure: RPCError

    var description: String {
      done == 0 ? "\(failure)" : "\(failure) (\(done) of \(total) races were imported)"
    }
  }

  /// How often an import makes a call that is not answered: for half a minute or so, which is longer than a service
  /// takes to come back.
  static var attempts: Int { 20 }

  var service: Service
  /// What the waits between an import's calls are measured by.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Told when an import finds that the schedule does not answer, before it tries again.
  var onSilence: @Sendable (RPCError) -> Void = { _ in }

  /// Creates races, and replaces those of the same name.
  ///
  /// All of them are checked before the first is imported. A call that is not answered is made again, since the same
  /// races are the same schedule; those that it had brought in all the same count as replaced.
  ///
  /// - Parameter progress: Told how many are in, after each call.
  /// - Throws: `RaceFile.Malformed` for a name that comes twice and a race that is too large, ``Interrupted``,
  ///   `CancellationError`. Each call's races are in or not as a whole.
  func importRaces(
    _ races: [ScheduledRace], progress: (Outcome) -> Void
  ) async throws -> Outcome {
    try Self.checkNames(races)
    let parts = try Self.parts(of: races)
    var outcome = Outcome()
    for isTrial in [true, false] {
      for part in parts {
        do {
          let answer = try await importPart(part, isTrial: isTrial)
          outcome.created += Int(answer.created)
          outcome.replaced += Int(answer.replaced)
        } catch let error as RPCError {
          throw Interrupted(
            done: outcome.total, total: races.count, failure: Self.naming(part, in: error))
        }
        if !isTrial { progress(outcome) }
      }
    }
    return outcome
  }

  private func importPart(
    _ part: ArraySlice<ScheduledRace>, isTrial: Bool
  ) async throws -> Swiftkart_Schedule_V1_ImportRacesResponse {
    var backoff = Backoff()
    for attempt in 1... {
      do {
        return try await service.importRaces(
          .with {
            $0.races = Array(part)
            $0.validateOnly = isTrial
          }, options: GatewayConnection.callOptions)
      } catch let error as RPCError
        where attempt < Self.attempts && (error.code == .unavailable || error.pushback != nil)
      {
        try Task.checkCancellation()
        if attempt == 1 { onSilence(error) }
        try await clock.sleep(for: backoff.wait(pushback: error.pushback))
      }
    }
    throw RPCError(code: .internalError, message: "The attempts ran out of numbers.")
  }

  private static func parts(of races: [ScheduledRace]) throws -> [ArraySlice<ScheduledRace>] {
    var parts: [ArraySlice<ScheduledRace>] = []
    var start = 0
    var bytes = 0
    for (index, race) in races.enumerated() {
      let size: Int = (try race.serializedBytes() as [UInt8]).count
      guard size <= bytesPerCall else {
        throw RaceFile.Malformed(
          description:
            "races[\(index)] (\(race.race.name.quotedName)) has \(size) bytes, and a race has at most "
            + "\(bytesPerCall)")
      }
      if index > start, index - start >= racesPerCall || bytes + size > bytesPerCall {
        parts.append(races[start..<index])
        start = index
        bytes = 0
      }
      bytes += size
    }
    if start < races.count { parts.append(races[start...]) }
    return parts
  }

  private static func checkNames(_ races: [ScheduledRace]) throws(RaceFile.Malformed) {
    var places: [ExactName: Int] = [:]
    for (index, race) in races.enumerated() {
      let name = race.race.name
      if let first = places.updateValue(index, forKey: ExactName(name)) {
        throw RaceFile.Malformed(
          description:
            "races[\(index)] has the name \(name.quotedName), which races[\(first)] has already"
        )
      }
    }
  }

  // The service counts a call's races; who wrote the file counts the file's, and knows their names.
  private static func naming(_ part: ArraySlice<ScheduledRace>, in error: RPCError) -> RPCError {
    let parts = error.message.split(separator: "]", maxSplits: 1)
    guard error.code == .invalidArgument, parts.count == 2, parts[0].hasPrefix("races["),
      let offset = Int(parts[0].dropFirst("races[".count)), offset < part.count
    else { return error }
    let index = part.startIndex + offset
    var problem = parts[1].drop { $0 == "." }
    if problem.hasPrefix("race.") { problem = problem.dropFirst("race.".count) }
    return RPCError(
      code: error.code, message: "races[\(index)] (\(part[index].race.name.quotedName)): \(problem)"
    )
  }

  /// Every race, finished ones too, by start time and then by name.
  func forEachRace(_ body: (ScheduledRace) throws -> Void) async throws {
    var token = ""
    repeat {
      let page = try await service.listScheduledRaces(
        .with {
          $0.pageSize = Int32(Self.racesPerCall)
          $0.pageToken = token
        }, options: GatewayConnection.callOptions)
      for race in page.races { try body(race) }
      token = page.nextPageToken
    } while !token.isEmpty
  }
}
