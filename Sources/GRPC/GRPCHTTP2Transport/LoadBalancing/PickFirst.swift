import GRPCCore

/// Sends every call over the first address that can be connected to.
///
/// All addresses of all endpoints are tried in order, one after the other. The connection that succeeds
/// is kept until it is lost, even if an earlier address comes back; then the channel is idle until the next
/// call, which starts again at the first address. When every address has failed, calls fail until one
/// succeeds.
///
/// ```
///            a call waits              connected
///    IDLE ───────────────▶ CONNECTING ──────────▶ READY
///     ▲                        │ all failed         │ ▲
///     │                        ▼                    │ │ connected
///     │                 TRANSIENT_FAILURE ──────────┼─┘
///     └─────────────────────────────────────────────┘ connection lost
/// ```
public struct PickFirst: LoadBalancingPolicy {
  /// `pick_first`
  public static var name: String { "pick_first" }

  private enum State: Sendable {
    case idle
    /// The addresses tried since the pass over the list began.
    case connecting(tried: Set<SubchannelID>)
    case ready(SubchannelID)
    case transientFailure
  }

  private var state = State.idle
  private var lastFailure: RPCError?

  /// Makes the policy.
  public init() {}

  /// Says what to do now, given the state of every address.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    update(view.endpoints.flatMap(\.subchannels), isWanted: view.isWanted)
  }

  mutating func update(
    _ subchannels: [SubchannelStatus], isWanted: Bool
  ) -> LoadBalancingDecision {
    lastFailure = subchannels.last(where: { $0.failure != nil })?.failure ?? lastFailure
    guard !subchannels.isEmpty else {
      state = .transientFailure
      lastFailure = nil
      return failing(connecting: [])
    }
    if let chosen = choose(from: subchannels) {
      state = .ready(chosen)
      return LoadBalancingDecision(
        state: .ready, picker: FixedPicker(.subchannel(chosen)),
        release: subchannels.filter { $0.id != chosen && $0.isActive }.map(\.id))
    }
    switch state {
    case .ready, .idle:
      guard isWanted else {
        state = .idle
        return LoadBalancingDecision(state: .idle, picker: FixedPicker(.wait))
      }
      return tryNext(of: subchannels, tried: [])
    case .connecting(let tried):
      return tryNext(of: subchannels, tried: tried)
    case .transientFailure:
      return failing(connecting: subchannels)
    }
  }

  /// What has come of connecting so far, for policies that are composed of this one.
  var outcome: Outcome {
    switch state {
    case .idle, .connecting: .undecided
    case .ready(let id): .ready(id)
    case .transientFailure: .failed(lastFailure)
    }
  }

  enum Outcome: Sendable {
    case undecided
    case ready(SubchannelID)
    case failed(RPCError?)
  }

  /// The ready subchannel that is in use, or else the first one.
  private func choose(from subchannels: [SubchannelStatus]) -> SubchannelID? {
    if case .ready(let id) = state,
      subchannels.contains(where: { $0.id == id && $0.state == .ready })
    {
      return id
    }
    return subchannels.first { $0.state == .ready }?.id
  }

  /// Goes on with the pass over the addresses; a pass remembers what it has tried, so that an early
  /// address whose backoff ends quickly does not keep the later ones from their turn.
  private mutating func tryNext(
    of subchannels: [SubchannelStatus], tried: Set<SubchannelID>
  ) -> LoadBalancingDecision {
    var tried = tried
    var connect: [SubchannelID] = []
    if !subchannels.contains(where: { $0.state == .connecting }) {
      let next = subchannels.first { $0.state == .idle && !tried.contains($0.id) }
      guard let next else {
        state = .transientFailure
        return failing(connecting: subchannels)
      }
      connect = [next.id]
      tried.insert(next.id)
    }
    state = .connecting(tried: tried)
    return LoadBalancingDecision(
      state: .connecting, picker: FixedPicker(.wait), connect: connect)
  }

  /// Fails calls and connects every address as soon as its backoff is over.
  private func failing(connecting subchannels: [SubchannelStatus]) -> LoadBalancingDecision {
    let error =
      lastFailure ?? RPCError(code: .unavailable, message: "The name has no addresses.")
    return LoadBalancingDecision(
      state: .transientFailure, picker: FixedPicker(.fail(error)),
      connect: subchannels.filter { $0.state == .idle }.map(\.id))
  }
}

extension SubchannelStatus {
  /// Whether the subchannel holds or makes a connection.
  fileprivate var isActive: Bool { state == .ready || state == .connecting }
}

extension LoadBalancingPolicy where Self == PickFirst {
  /// Sends every call over the first address that can be connected to.
  public static var pickFirst: PickFirst { PickFirst() }
}
