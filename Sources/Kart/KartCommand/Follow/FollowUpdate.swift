import GRPCCore
import KartAPI

/// What a follower is told.
enum FollowUpdate: Sendable {
  /// A call is being made.
  case connecting
  /// The gateway has taken it.
  case connected
  case event(FollowRaceResponse)
  /// The call ended without the follower's wish; another is made after the wait.
  case disconnected(RPCError, retryIn: Duration)
}
