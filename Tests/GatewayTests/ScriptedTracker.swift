import GRPCCore
import KartAPI
import KartTesting
import RaceRelay
import Synchronization

/// A tracker whose subscriptions go as they are told to, one after another.
final class ScriptedTracker: Swiftkart_Relay_V1_RaceEventService.SimpleServiceProtocol {
  typealias Response = Swiftkart_Relay_V1_SubscribeResponse

  /// What one subscription does.
  struct Script: Sendable {
    var responses: [Response]
    /// How it ends; nil goes on in silence.
    var end: RPCError?
  }

  private let scripts: Mutex<[Script]>
  private let received = Mutex<[Swiftkart_Relay_V1_SubscribeRequest]>([])
  private let deadlines = Mutex<[ContinuousClock.Instant]>([])

  init(_ scripts: [Script]) { self.scripts = Mutex(scripts) }

  /// The subscriptions so far.
  var requests: [Swiftkart_Relay_V1_SubscribeRequest] { received.withLock { $0 } }

  /// The deadlines of those that have one.
  var requestedDeadlines: [ContinuousClock.Instant] { deadlines.withLock { $0 } }

  func subscribe(
    request: Swiftkart_Relay_V1_SubscribeRequest, response: RPCWriter<Response>,
    context: ServerContext
  ) async throws {
    received.withLock { $0.append(request) }
    if let deadline = context.deadline { deadlines.withLock { $0.append(deadline) } }
    let script = scripts.withLock { $0.isEmpty ? Script(responses: []) : $0.removeFirst() }
    try await response.write(contentsOf: script.responses)
    if let end = script.end { throw end }
    try await Latch<Void>().value
  }
}

extension ScriptedTracker.Response {
  /// A response of a tracker that is live.
  ///
  /// - Parameter head: The newest event; nil for the last of those that are sent.
  static func live(_ events: RelayedEvent..., head: UInt64? = nil) -> Self {
    .with {
      $0.events = events
      $0.head = head ?? events.last?.sequence ?? 0
      $0.live = true
    }
  }
}

extension RelayedEvent {
  static func locations(_ sequence: UInt64) -> RelayedEvent { make(sequence, .kartLocations) }
  static func standings(_ sequence: UInt64) -> RelayedEvent { make(sequence, .standings) }

  private static func make(_ sequence: UInt64, _ type: RaceEventType) -> RelayedEvent {
    let response = FollowRaceResponse.with {
      $0.sequence = sequence
      if type == .standings { $0.standings = .init() } else { $0.locations = .init() }
    }
    let bytes: [UInt8] = (try? response.serializedBytes()) ?? []
    return RelayedEvent(sequence: sequence, type: type, response: bytes)
  }
}
