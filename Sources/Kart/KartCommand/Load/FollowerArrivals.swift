import GRPCCore
import Synchronization

/// How many of a load's followers have been connected so far.
final class FollowerArrivals: Sendable {
  /// Some followers are still not connected, although there was time.
  struct Stalled: Error, Hashable, CustomStringConvertible {
    var connected: Int
    var followers: Int
    var connections: Int
    /// Why a follower's call failed the last time that one did; nil where all still wait for their turn.
    var failure: RPCError?

    var description: String {
      if connected == 0 {
        return
          "no follower could be connected: the gateway takes calls and does not answer; see kart health"
      }
      let connected = "only \(connected) of \(followers) followers could be connected"
      if let failure { return "\(connected): \(failure)" }
      return
        "\(connected) on \(connections) connections, and the rest wait for their turn: a gateway "
        + "limits the calls of each connection, so give more --connections"
    }
  }

  private struct State {
    var connected = 0
    var failure: RPCError?
  }

  private let followers: Int
  private let connections: Int
  private let state = Mutex(State())

  init(of followers: Int, on connections: Int) {
    self.followers = followers
    self.connections = connections
  }

  /// One more follower is connected for the first time.
  func add() {
    state.withLock { $0.connected += 1 }
  }

  /// A follower's call failed, and it will try again.
  ///
  /// - Throws: The failure, where nobody has been connected yet: the gateway cannot be reached.
  func note(_ failure: RPCError) throws {
    try state.withLock { state in
      guard state.connected > 0 else { throw failure }
      state.failure = failure
    }
  }

  /// Returns when all are connected.
  ///
  /// - Throws: ``Stalled`` where nobody new was for a while.
  func watch<Time: Clock>(
    by clock: Time, patience: Duration
  ) async throws where Time.Duration == Duration {
    var before = 0
    while true {
      try await clock.sleep(for: patience)
      let now = state.withLock { $0 }
      if now.connected == followers { return }
      guard now.connected > before else {
        throw Stalled(
          connected: now.connected, followers: followers, connections: connections,
          failure: now.failure)
      }
      before = now.connected
    }
  }
}
