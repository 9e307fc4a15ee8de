import GRPCCore

/// Decides which endpoints a channel connects to and which of them each call goes to.
///
/// A policy is a value: it turns what is known of the endpoints into a picker, a snapshot that calls
/// read without a lock. It keeps in itself only what it must remember between two updates, does
/// no I/O and has no clock but the view's time, so it can be tested as a table.
///
/// See gRPC's "Load Balancing in gRPC".
public protocol LoadBalancingPolicy: Sendable {
  /// The name of the policy in a service config, as `round_robin`.
  static var name: String { get }

  /// How often servers are to report their load beside calls; nil if they need not.
  var loadReportInterval: Duration? { get }

  /// What the policy and those that it is composed of have counted, for those who ask for the channel's status.
  var counters: [LoadBalancingCounter: Int] { get }

  /// Takes over what the policy before remembers, as the service's configuration has changed.
  ///
  /// The channel calls it before the first update, so that a new configuration costs no connection, no weight and no
  /// judgement. A policy of another kind leaves nothing.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  mutating func inherit(from former: any LoadBalancingPolicy)

  /// Says what to do now, given the state of every endpoint.
  ///
  /// The channel calls it when its name has been resolved, when a subchannel's state has changed, when a call waits
  /// for an idle channel, and at the time that the policy has asked for.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision
}

extension LoadBalancingPolicy {
  /// No reports are needed.
  public var loadReportInterval: Duration? { nil }

  /// Nothing is counted.
  public var counters: [LoadBalancingCounter: Int] { [:] }

  /// Nothing is remembered.
  public func inherit(from former: any LoadBalancingPolicy) {}
}

/// Something that a load-balancing policy counts.
public struct LoadBalancingCounter: Sendable, Hashable {
  /// The name of the metric, as `grpc.lb.outlier_detection.ejections_enforced`.
  public var name: String
  /// What tells it from others of the name.
  public var labels: [String: String]

  /// Makes a counter.
  ///
  /// - Parameters:
  ///   - name: The name of the metric.
  ///   - labels: What tells it from others of the name.
  public init(name: String, labels: [String: String] = [:]) {
    self.name = name
    self.labels = labels
  }
}

/// What a policy sees of its channel.
public struct LoadBalancingView: Sendable {
  /// The endpoints, in the resolver's order. Empty when the name has no address.
  public var endpoints: [EndpointStatus]

  /// Whether calls wait for a pick, so that a policy that had gone idle should connect.
  public var isWanted: Bool

  /// The present time.
  public var now: ContinuousClock.Instant

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - endpoints: The endpoints, in the resolver's order.
  ///   - isWanted: Whether calls wait for a pick.
  ///   - now: The present time.
  public init(
    endpoints: [EndpointStatus], isWanted: Bool, now: ContinuousClock.Instant = .now
  ) {
    self.endpoints = endpoints
    self.isWanted = isWanted
    self.now = now
  }
}

/// An endpoint and the state of the subchannels to each of its addresses.
public struct EndpointStatus: Sendable {
  /// The endpoint.
  public var endpoint: Endpoint

  /// The subchannels, one for each address, in the endpoint's order.
  public var subchannels: [SubchannelStatus]

  /// Makes a status.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - subchannels: The subchannels, one for each address.
  public init(endpoint: Endpoint, subchannels: [SubchannelStatus]) {
    self.endpoint = endpoint
    self.subchannels = subchannels
  }
}

/// A subchannel's state.
public struct SubchannelStatus: Sendable {
  /// The subchannel.
  public var id: SubchannelID

  /// Its state. A subchannel whose backoff is over is idle again: the policy asks it to connect.
  public var state: ConnectivityState

  /// Why it last failed to connect.
  public var failure: RPCError?

  /// What the server has reported last of its load beside calls, and when.
  public var load: (report: LoadReport, received: ContinuousClock.Instant)?

  /// Makes a status.
  ///
  /// - Parameters:
  ///   - id: The subchannel.
  ///   - state: Its state.
  ///   - failure: Why it last failed to connect.
  public init(id: SubchannelID, state: ConnectivityState, failure: RPCError? = nil) {
    self.id = id
    self.state = state
    self.failure = failure
  }
}

/// What a policy wants of its channel.
public struct LoadBalancingDecision: Sendable {
  /// The channel's state.
  public var state: ConnectivityState

  /// Chooses a subchannel for each call from now on.
  public var picker: any SubchannelPicker

  /// Idle subchannels that must connect now.
  public var connect: [SubchannelID]

  /// Subchannels that need no connection any more and go idle once their calls have ended.
  public var release: [SubchannelID]

  /// When the policy wants to decide anew although nothing has changed; not at all if nil.
  public var wakeAt: ContinuousClock.Instant?

  /// Subchannels that get no calls because they fail too many, for those who ask for the channel's status.
  public var ejected: [SubchannelID] = []

  /// Makes a decision.
  ///
  /// - Parameters:
  ///   - state: The channel's state.
  ///   - picker: Chooses a subchannel for each call.
  ///   - connect: Idle subchannels that must connect now.
  ///   - release: Subchannels that need no connection any more.
  ///   - wakeAt: When the policy wants to decide anew although nothing has changed.
  public init(
    state: ConnectivityState, picker: any SubchannelPicker,
    connect: [SubchannelID] = [], release: [SubchannelID] = [],
    wakeAt: ContinuousClock.Instant? = nil
  ) {
    self.state = state
    self.picker = picker
    self.connect = connect
    self.release = release
    self.wakeAt = wakeAt
  }
}
