import GRPCCore
import KartAPI
import RaceRelay
import Synchronization

/// One subscription to a race's events at whichever tracker the channel picks.
struct TrackerSubscription<Trackers: ClientTransport>: Sendable {
  let client: GRPCClient<Trackers>
  let clock: GatewayClock
  /// After how long without a response a tracker counts as hanging. It sends one every 500 ms.
  let silence: Duration
  /// After how long without a first response, which comes at once from a tracker that is well.
  var firstResponse = Duration.milliseconds(500)
  /// How many of the newest events come with a snapshot, for followers who resume a little behind.
  var backlog: UInt32 = 1024

  /// Takes the events of a race until a closure has enough.
  ///
  /// - Parameters:
  ///   - race: The race.
  ///   - number: The number of the event before the first one wanted; nil asks for a snapshot first.
  ///   - failures: How many attempts have failed since the last that was of use. The race's own tracker, which the
  ///     first attempt goes to, is most likely not the next one's.
  ///   - receive: Takes each response, and returns whether to go on.
  /// - Throws: `RPCError` where the tracker ends the call, is lost, or hangs, and what `receive` throws.
  func events(
    of race: String, after number: UInt64?, failures: Int = 0,
    _ receive: @escaping @Sendable (Swiftkart_Relay_V1_SubscribeResponse) async throws -> Bool
  ) async throws {
    let pulse = Pulse()
    // A follower who leaves is no fault of the tracker, and one who waits in vain is.
    let cause = CancellationCause()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await follow(race, after: number, failures, pulse, cause, receive) }
      group.addTask {
        let silence = try await watch(pulse)
        cause.error = silence
        throw silence
      }
      try await group.next()
    }
  }

  private func follow(
    _ race: String, after number: UInt64?, _ failures: Int, _ pulse: Pulse,
    _ cause: CancellationCause,
    _ receive: @escaping @Sendable (Swiftkart_Relay_V1_SubscribeResponse) async throws -> Bool
  ) async throws {
    var request = Swiftkart_Relay_V1_SubscribeRequest()
    request.raceName = race
    request.resumeAfter = number ?? 0
    request.fromStart = number == 0
    if number == nil { request.backlog = backlog }
    let trackers = Swiftkart_Relay_V1_RaceEventService.Client(wrapping: client)
    var options = CallOptions.defaults
    options.cancellationCause = cause
    options.requestHashKey = failures == 0 ? race : "\(race)/\(failures)"
    // Whose deadline is over, where a follower's call has one, is not the tracker's fault either.
    let wantsMore = try await ServerContext.$current.withValue(nil) {
      try await trackers.subscribe(request, options: options) { response in
        for try await message in response.messages {
          pulse.beginWork()
          defer { pulse.endWork() }
          guard try await receive(message) else { return false }
        }
        return true
      }
    }
    if wantsMore {
      throw RPCError(code: .unavailable, message: "The tracker ended the subscription.")
    }
  }

  /// Waits until nothing has come for too long. What is spent on a response does not count.
  ///
  /// - Returns: What is to be said of the tracker.
  private func watch(_ pulse: Pulse) async throws -> RPCError {
    try await clock.sleep(firstResponse)
    if pulse.count == 0 {
      return RPCError(
        code: .unavailable, message: "The tracker has not answered for \(firstResponse).")
    }
    let looks = 5
    var quiet = 0
    var last = pulse.count
    while quiet < looks {
      try await clock.sleep(silence / looks)
      let count = pulse.count
      quiet = count == last && !pulse.isAtWork ? quiet + 1 : 0
      last = count
    }
    return RPCError(code: .unavailable, message: "The tracker has been silent for \(silence).")
  }
}

/// Tells whether responses still come.
private final class Pulse: Sendable {
  private let begun = Atomic<UInt64>(0)
  private let ended = Atomic<UInt64>(0)

  var count: UInt64 { begun.load(ordering: .relaxed) }
  var isAtWork: Bool { begun.load(ordering: .relaxed) != ended.load(ordering: .relaxed) }

  func beginWork() { begun.add(1, ordering: .relaxed) }
  func endWork() { ended.add(1, ordering: .relaxed) }
}
