import GRPCCore
import KartAPI

/// Brings whole schedules in and out, a call for each thousand races.
struct ScheduleTransfer<Transport: ClientTransport>: Sendable {
  typealias Service = Swiftkart_Schedule_V1_RaceScheduleService.Client<Transport>
  typealias ScheduledRace = Swiftkart_Schedule_V1_ScheduledRace

  /// How many races a call carries.
  static var racesPerCall: Int { 1000 }

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

  var service: Service

  /// Creates races, and replaces those of the same name.
  ///
  /// - Parameter progress: Told how many are in, after each call.
  /// - Throws: ``Interrupted``. Each call's races are in or not as a whole.
  func importRaces(
    _ races: [ScheduledRace], progress: (Outcome) -> Void
  ) async throws -> Outcome {
    var outcome = Outcome()
    var rest = races[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.racesPerCall)
      rest = rest.dropFirst(part.count)
      do {
        let answer = try await service.importRaces(.with { $0.races = Array(part) })
        outcome.created += Int(answer.created)
        outcome.replaced += Int(answer.replaced)
      } catch let error as RPCError {
        throw Interrupted(
          done: outcome.total, total: races.count, failure: error)
      }
      progress(outcome)
    }
    return outcome
  }

  /// Every race, finished ones too, by start time and then by name.
  func forEachRace(_ body: (ScheduledRace) throws -> Void) async throws {
    var token = ""
    repeat {
      let page = try await service.listScheduledRaces(
        .with {
          $0.pageSize = Int32(Self.racesPerCall)
          $0.pageToken = token
        })
      for race in page.races { try body(race) }
      token = page.nextPageToken
    } while !token.isEmpty
  }
}
