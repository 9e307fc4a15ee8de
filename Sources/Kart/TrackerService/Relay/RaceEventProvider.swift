import GRPCCore
import KartAPI
import RaceRelay

/// Serves a race's events by number: from memory, or from the log where memory does not reach back so far.
package struct RaceEventProvider: Swiftkart_Relay_V1_RaceEventService.SimpleServiceProtocol {
  private let races: FollowedRaces

  package init(races: FollowedRaces) {
    self.races = races
  }

  package func subscribe(
    request: Swiftkart_Relay_V1_SubscribeRequest,
    response: RPCWriter<Swiftkart_Relay_V1_SubscribeResponse>, context: ServerContext
  ) async throws {
    try TelemetryRecord.checkName(request.raceName, field: "race_name")
    let race = try await races.follow(request.raceName)
    do {
      try await serve(race, request, to: response)
    } catch {
      await races.leave(race)
      throw error
    }
  }

  // Ends only by throwing: when the subscriber goes, or this replica does.
  private func serve(
    _ race: FollowedRace, _ request: Swiftkart_Relay_V1_SubscribeRequest,
    to response: RPCWriter<Swiftkart_Relay_V1_SubscribeResponse>
  ) async throws {
    var cursor =
      request.resumeAfter > 0 || request.fromStart
      ? FollowedRace.Cursor.after(request.resumeAfter)
      : .newest(backlog: Int(request.backlog))
    try await response.write(.init(head: await race.head, isLive: false))
    while true {
      switch try await race.next(cursor) {
      case .events(let events, let next):
        try await response.write(.init(events, head: await race.head, isLive: true))
        cursor = .after(next)
      case .beat(let isLive):
        try await response.write(.init(head: await race.head, isLive: isLive))
      case .inLogOnly:
        guard case .after(let number) = cursor else { continue }
        cursor = .after(try await replay(race, after: number, to: response))
      }
    }
  }

  // Serves what is in the log now. Every part is answered, if only as a sign of life.
  private func replay(
    _ race: FollowedRace, after number: UInt64,
    to response: RPCWriter<Swiftkart_Relay_V1_SubscribeResponse>
  ) async throws -> UInt64 {
    var last = number
    var replay = try await RaceReplay(race: race.name, after: number, log: races.log)
    while let events = try await replay.next() {
      try Task.checkCancellation()
      let head = await race.head
      for part in events.parts(limit: FollowedRace.deliveryLimit) {
        // A slow subscriber may take long over each.
        try await race.checkServes()
        try await response.write(.init(Array(part), head: head, isLive: true))
        last = part.last?.sequence ?? last
      }
      await race.nextTick()
    }
    return last
  }
}

extension Swiftkart_Relay_V1_SubscribeResponse {
  init(_ events: [RelayedEvent] = [], head: UInt64, isLive: Bool) {
    self.init()
    self.events = events
    self.head = head
    live = isLive
  }
}

extension [RelayedEvent] {
  /// The events in parts of so many bytes at most, though at least one event; one empty part where there is
  /// none.
  func parts(limit: Int) -> [ArraySlice<RelayedEvent>] {
    var parts: [ArraySlice<RelayedEvent>] = []
    var start = startIndex
    var bytes = 0
    for index in indices {
      bytes += self[index].response.count
      guard bytes >= limit else { continue }
      parts.append(self[start...index])
      start = index + 1
      bytes = 0
    }
    if start < endIndex || parts.isEmpty { parts.append(self[start...]) }
    return parts
  }
}
