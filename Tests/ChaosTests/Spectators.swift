import GRPCCore
import GRPCHTTP2Transport
import GRPCProtobuf
import KartAPI
import KartTesting
import MeshTesting
import Synchronization
import Testing

/// Twenty followers of one race, each with a channel of its own.
///
/// Half of them start with a snapshot, half from the race's second event.
final class Spectators: Sendable {
  static let count = 20

  let logs = (0..<count).map { _ in FollowLog() }
  private let race: String
  private let target: String
  /// Each follower ends its call once it has the event with this number.
  private let goal = Mutex<UInt64?>(nil)

  init(of race: String, target: String) {
    self.race = race
    self.target = target
  }

  /// Follows the race until every follower has what the first to be asked had when `chaos` was over.
  func follow(during chaos: @Sendable () async throws -> Void) async throws {
    let begun = FollowLog()
    try await follow(into: begun, after: 0, until: { _ in true })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, log) in logs.enumerated() {
        group.addTask {
          try await self.follow(into: log, after: index.isMultiple(of: 2) ? 0 : 1) { sequence in
            self.goal.withLock { $0.map { sequence >= $0 } ?? false }
          }
        }
      }
      try await chaos()
      let head = logs.map(\.highest).max() ?? 0
      goal.withLock { $0 = head }
      try await group.waitForAll()
    }
  }

  /// Waits until every follower has seen so many more events.
  func see(_ count: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for log in logs { group.addTask { await log.more(count) } }
    }
  }

  /// One call, which ends with OK after the event for which `isLast` holds.
  private func follow(
    into log: FollowLog, after sequence: UInt64, until isLast: @escaping @Sendable (UInt64) -> Bool
  ) async throws {
    let end = Latch<Void>()
    let request = FollowRaceRequest.with {
      $0.raceName = race
      $0.eventTypes = [.kartLocations, .standings]
      $0.resumeAfter = sequence
    }
    try await withGRPCClient(transport: HTTP2ClientTransport(target: target)) {
      client in
      try await client.bidirectionalStreaming(
        request: StreamingClientRequest { writer in
          try await writer.write(request)
          try await end.value
        },
        descriptor: SwiftKartService.Method.FollowRace.descriptor,
        serializer: ProtobufSerializer<FollowRaceRequest>(),
        deserializer: BytesDeserializer(), options: .defaults
      ) { response in
        for try await bytes in response.messages where isLast(try log.add(bytes)) {
          end.close(with: ())
        }
      }
    }
  }

  /// Holds every follower to what it was promised: each event once, in order, the same for all.
  func expectNothingLost() {
    var bytes: [UInt64: [UInt8]] = [:]
    for (index, log) in logs.enumerated() {
      let events = log.events
      let sequences = events.map(\.sequence)
      // A snapshot is the newest event of each of the two types; from its newest on, all come.
      let first = index.isMultiple(of: 2) ? min(2, sequences.count) - 1 : 0
      let ordered = zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }
      #expect(ordered, "follower \(index) has an event twice or out of order")
      let contiguous = sequences.dropFirst(first)
      let missing = zip(contiguous, contiguous.dropFirst()).filter { $0 + 1 != $1 }
      #expect(missing.isEmpty, "follower \(index) lacks what lies between \(missing)")
      if first == 0 { #expect(sequences.first == 2) }
      for event in events {
        let known = bytes[event.sequence, default: event.bytes]
        #expect(known == event.bytes, "event \(event.sequence) differs for follower \(index)")
        bytes[event.sequence] = known
      }
    }
  }
}

/// Hands out a message's bytes as they came.
private struct BytesDeserializer: MessageDeserializer {
  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
    bytes.withUnsafeBytes { Array($0) }
  }
}
