import GRPCCore

/// Sends every call over the first address that can be connected to.
///
/// All addresses of all endpoints are tried in order, IPv6 and IPv4 in turns. The next one is begun with as soon
/// as one has failed, or when none has succeeded for a while (Happy Eyeballs). The connection that
/// succeeds first is kept until it is lost, even if an earlier address comes back; then the channel is idle until
/// the next call, which starts again at the first address. When every address has failed, calls fail until
/// one succeeds.
///
/// ```
///            a call waits              connected
///    IDLE ───────────────▶ CONNECTING ──────────▶ READY
///     ▲                        │ all failed         │ ▲
///     │                        ▼                    │ │ connected
///     │                 TRANSIENT_FAILURE ──────────┼─┘
///     └─────────────────────────────────────────────┘ connection lost
/// ```
///
/// See gRPC's proposals A61 and A62.
public struct PickFirst: LoadBalancingPolicy {
  /// `pick_first`
  public static var name: String { "pick_first" }

  /// How long an attempt has before the next one is begun with beside it (RFC 8305, section 5).
  static let attemptDelay = Duration.milliseconds(250)

  private enum State: Sendable {
    case idle
    /// The addresses tried since the pass over the list began, and when one more may be.
    case connecting(tried: Set<SubchannelID>, next: ContinuousClock.Instant)
    case ready(SubchannelID)
    case transientFailure
  }

  private var state = State.idle
  private var lastFailure: RPCError?
  private var shuffle: Shuffle?

  /// Makes the policy.
  public init() {}

  /// Makes a policy that tries the addresses in an order of its own, so that clients spread over them.
  ///
  /// - Parameter generator: Chooses the order.
  public init(shufflingWith generator: any RandomNumberGenerator & Sendable) {
    shuffle = Shuffle(generator: generator)
  }

  /// Takes over the connection, or how far the pass over the addresses is, of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    state = former.state
    lastFailure = former.lastFailure
    if let order = former.shuffle { shuffle?.inherit(from: order) }
  }

  /// Says what to do now, given the state of every address.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    let endpoints = shuffle?.order(view.endpoints) ?? view.endpoints
    return update(Self.interleaved(endpoints), isWanted: view.isWanted, now: view.now)
  }

  mutating func update(
    _ subchannels: [SubchannelStatus], isWanted: Bool, now: ContinuousClock.Instant
  ) -> LoadBalancingDecision {
    lastFailure = subchannels.last(where: { $0.failure != nil })?.failure ?? lastFailure
    guard !subchannels.isEmpty else {
      state = .transientFailure
      lastFailure = nil
      return Self.withoutAddresses
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
      return tryNext(of: subchannels, tried: [], next: now, now: now)
    case .connecting(let tried, let next):
      return tryNext(of: subchannels, tried: tried, next: next, now: now)
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

  /// The decision for a name that has no address.
  static var withoutAddresses: LoadBalancingDecision {
    LoadBalancingDecision(
      state: .transientFailure,
      picker: FixedPicker(
        .fail(RPCError(code: .unavailable, message: "The name has no addresses."))))
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
    of subchannels: [SubchannelStatus], tried: Set<SubchannelID>, next: ContinuousClock.Instant,
    now: ContinuousClock.Instant
  ) -> LoadBalancingDecision {
    var tried = tried
    var next = next
    var connect: [SubchannelID] = []
    var candidates = subchannels.filter { $0.state == .idle && !tried.contains($0.id) }[...]
    let isConnecting = subchannels.contains { $0.state == .connecting }
    if !isConnecting || now >= next {
      if let candidate = candidates.popFirst() {
        connect = [candidate.id]
        tried.insert(candidate.id)
        next = now + Self.attemptDelay
      } else if !isConnecting {
        state = .transientFailure
        return failing(connecting: subchannels)
      }
    }
    state = .connecting(tried: tried, next: next)
    return LoadBalancingDecision(
      state: .connecting, picker: FixedPicker(.wait), connect: connect,
      wakeAt: candidates.isEmpty ? nil : next)
  }

  /// Fails calls and connects every address as soon as its backoff is over.
  private func failing(connecting subchannels: [SubchannelStatus]) -> LoadBalancingDecision {
    let error =
      lastFailure ?? RPCError(code: .unavailable, message: "The name has no addresses.")
    return LoadBalancingDecision(
      state: .transientFailure, picker: FixedPicker(.fail(error)),
      connect: subchannels.filter { $0.state == .idle }.map(\.id))
  }

  /// The addresses of all endpoints in order, those of different families in turns (RFC 8305, section 4).
  private static func interleaved(_ endpoints: [EndpointStatus]) -> [SubchannelStatus] {
    var families: [(isIPv6: Bool, subchannels: [SubchannelStatus])] = []
    for status in endpoints {
      for (index, subchannel) in status.subchannels.enumerated() {
        let isIPv6 =
          index < status.endpoint.addresses.count && status.endpoint.addresses[index].ipv6 != nil
        if let family = families.firstIndex(where: { $0.isIPv6 == isIPv6 }) {
          families[family].subchannels.append(subchannel)
        } else {
          families.append((isIPv6, [subchannel]))
        }
      }
    }
    let longest = families.map(\.subchannels.count).max() ?? 0
    return (0..<longest).flatMap { index in
      families.compactMap { index < $0.subchannels.count ? $0.subchannels[index] : nil }
    }
  }
}

/// A random order of endpoints that stays as long as they do.
private struct Shuffle: Sendable {
  var generator: any RandomNumberGenerator & Sendable
  private var ranks: [EndpointIdentity: UInt64] = [:]

  init(generator: any RandomNumberGenerator & Sendable) {
    self.generator = generator
  }

  mutating func inherit(from former: Shuffle) {
    ranks = former.ranks
  }

  mutating func order(_ endpoints: [EndpointStatus]) -> [EndpointStatus] {
    ranks.follow(endpoints) { generator.next() }
    return endpoints.sorted {
      (ranks[$0.endpoint.identity] ?? 0) < (ranks[$1.endpoint.identity] ?? 0)
    }
  }
}

extension SubchannelStatus {
  /// Whether the subchannel holds or makes a connection.
  var isActive: Bool { state == .ready || state == .connecting }
}

extension LoadBalancingPolicy where Self == PickFirst {
  /// Sends every call over the first address that can be connected to.
  public static var pickFirst: PickFirst { PickFirst() }
}
