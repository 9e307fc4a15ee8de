import GRPCCore
import KartAPI
import KartTesting
import Synchronization

/// A gateway whose FollowRace calls go as they are told to, one after another.
final class ScriptedGateway: SwiftKartService.SimpleServiceProtocol {
  /// What one call does.
  struct Script: Sendable {
    var events: [FollowRaceResponse] = []
    /// How it ends.
    var end = End.open
    /// What comes with an error.
    var metadata: Metadata = [:]

    enum End: Sendable {
      case ok
      case error(RPCError.Code)
      /// It stays open, until the client is gone.
      case open
      /// It is not taken.
      case refused(RPCError.Code)
      /// It is not even answered, until the client is gone.
      case silent
    }
  }

  private let scripts: Mutex<[Script]>
  private let received = Mutex<[FollowRaceRequest]>([])
  private let races: Mutex<[Result<ListRacesResponse, RPCError>]>

  /// - Parameters:
  ///   - scripts: How FollowRace calls go; those that come after them stay open.
  ///   - races: The answers to ListRaces, of which the last one is given again and again.
  init(_ scripts: [Script] = [], races: [Result<ListRacesResponse, RPCError>] = []) {
    self.scripts = Mutex(scripts)
    self.races = Mutex(races)
  }

  /// The first request of each FollowRace call so far.
  var requests: [FollowRaceRequest] { received.withLock { $0 } }

  func followRace(
    request: RPCAsyncSequence<FollowRaceRequest, any Error>,
    response: RPCWriter<FollowRaceResponse>, context: ServerContext
  ) async throws {
    if let first = try await request.first(where: { _ in true }) {
      received.withLock { $0.append(first) }
    }
    let script = scripts.withLock { $0.isEmpty ? Script() : $0.removeFirst() }
    switch script.end {
    case .refused(let code): throw RPCError(code: code, message: "as told")
    case .silent: try await Latch<Void>().value
    case .ok, .error, .open: try await response.write(contentsOf: script.events)
    }
    switch script.end {
    case .ok, .refused: return
    case .error(let code):
      throw RPCError(code: code, message: "as told", metadata: script.metadata)
    case .open, .silent: try await Latch<Void>().value
    }
  }

  func listRaces(
    request: ListRacesRequest, context: ServerContext
  ) async throws -> ListRacesResponse {
    try races.withLock { races in
      guard let answer = races.count > 1 ? races.removeFirst() : races.first else {
        throw RPCError(code: .unimplemented, message: "no answer was told")
      }
      return try answer.get()
    }
  }
}

extension FollowRaceResponse {
  static func locations(
    _ sequence: UInt64, recordedAt milliseconds: Int64...
  ) -> FollowRaceResponse {
    .with {
      $0.sequence = sequence
      $0.locations.karts = milliseconds.enumerated().map { index, moment in
        .with {
          $0.number = Int32(index + 1)
          $0.recordedAt.seconds = moment / 1000
          $0.recordedAt.nanos = Int32(moment % 1000) * 1_000_000
        }
      }
    }
  }

  static func standings(_ sequence: UInt64) -> FollowRaceResponse {
    .with {
      $0.sequence = sequence
      $0.standings = Standings()
    }
  }
}
