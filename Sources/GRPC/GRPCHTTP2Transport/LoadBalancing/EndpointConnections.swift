import GRPCCore

/// Keeps one connection to every endpoint, for policies that spread calls: to the first of an endpoint's
/// addresses that can be connected to, and again as soon as it is lost.
struct EndpointConnections: Sendable {
  /// What is known of the endpoints now.
  struct Summary {
    /// The endpoints that are ready, in the resolver's order.
    var ready: [(endpoint: Endpoint, subchannel: SubchannelID)] = []
    /// All endpoints, in the resolver's order, and what has come of connecting to each.
    var outcomes: [(endpoint: Endpoint, outcome: PickFirst.Outcome)] = []
    var isConnecting = false
    var failure: RPCError?
    var connect: [SubchannelID] = []
    var release: [SubchannelID] = []
    var wakeAt: ContinuousClock.Instant?

    /// The decision, with a picker for when there are endpoints to choose from.
    func decision(_ picker: () -> any SubchannelPicker) -> LoadBalancingDecision {
      let state: ConnectivityState
      let chosen: any SubchannelPicker
      if !ready.isEmpty {
        state = .ready
        chosen = picker()
      } else if isConnecting {
        state = .connecting
        chosen = FixedPicker(.wait)
      } else {
        state = .transientFailure
        chosen = FixedPicker(
          .fail(failure ?? RPCError(code: .unavailable, message: "The name has no addresses.")))
      }
      return LoadBalancingDecision(
        state: state, picker: chosen, connect: connect, release: release, wakeAt: wakeAt)
    }
  }

  private var children: [EndpointIdentity: PickFirst] = [:]

  mutating func update(_ view: LoadBalancingView) -> Summary {
    var kept: [EndpointIdentity: PickFirst] = [:]
    var summary = Summary()
    for status in view.endpoints {
      let identity = status.endpoint.identity
      var child = children[identity] ?? PickFirst()
      let decision = child.update(status.subchannels, isWanted: true, now: view.now)
      kept[identity] = child
      summary.connect += decision.connect
      summary.release += decision.release
      summary.isConnecting = summary.isConnecting || decision.state == .connecting
      summary.wakeAt = earliest(summary.wakeAt, decision.wakeAt)
      summary.outcomes.append((status.endpoint, child.outcome))
      switch child.outcome {
      case .ready(let id): summary.ready.append((status.endpoint, id))
      case .failed(let error): summary.failure = error ?? summary.failure
      case .undecided: break
      }
    }
    children = kept
    return summary
  }
}

/// The earlier of two moments, either of which may be none.
func earliest(
  _ a: ContinuousClock.Instant?, _ b: ContinuousClock.Instant?
) -> ContinuousClock.Instant? {
  a.map { a in b.map { min(a, $0) } ?? a } ?? b
}

extension Dictionary where Key == EndpointIdentity {
  /// Keeps the values of these endpoints, drops all others', and makes one for whoever is new.
  mutating func follow(_ endpoints: [EndpointStatus], _ make: () -> Value) {
    var kept = Self(minimumCapacity: endpoints.count)
    for status in endpoints {
      let identity = status.endpoint.identity
      kept[identity] = self[identity] ?? make()
    }
    self = kept
  }
}
