import GRPCCore

/// Sends calls to the endpoints of the first priority that has any, and to those of the next when it has failed.
///
/// A priority gets ten seconds to connect before the next one is tried; the former go on trying, and get the
/// calls back. One that has stepped in keeps its connections for a quarter of an hour, so that it is ready to step in
/// again.
///
/// See gRPC's proposal A56.
public struct PriorityFailover: LoadBalancingPolicy {
  /// `priority_experimental`
  public static var name: String { "priority_experimental" }

  /// How long a priority may take to connect before the next one is tried.
  private static let failoverTime = Duration.seconds(10)

  /// How long a priority is kept that is not needed any more.
  private static let retentionTime = Duration.seconds(15 * 60)

  private struct Child: Sendable {
    var policy: any LoadBalancingPolicy
    /// When the next priority is tried if this one is not ready; nil once it was ready or has failed.
    var deadline: ContinuousClock.Instant?
    var hasFailed = false
    /// Since when a better one gets the calls.
    var idleSince: ContinuousClock.Instant?
  }

  private let makeChild: @Sendable () -> any LoadBalancingPolicy
  private var children: [Int: Child] = [:]

  /// Makes the policy.
  ///
  /// - Parameter child: Makes the policy that spreads the calls of one priority.
  public init(child: @escaping @Sendable () -> any LoadBalancingPolicy = { RoundRobin() }) {
    makeChild = child
  }

  /// As the children want it.
  public var loadReportInterval: Duration? { makeChild().loadReportInterval }

  /// What those that there are now have counted.
  public var counters: [LoadBalancingCounter: Int] {
    children.values.reduce(into: [:]) { $0.merge($1.policy.counters) { $0 + $1 } }
  }

  /// Takes over how each priority is doing, and what its child can use, of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    children = former.children.mapValues { child in
      var heir = child
      heir.policy = makeChild()
      heir.policy.inherit(from: child.policy)
      return heir
    }
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    let groups = Dictionary(grouping: view.endpoints, by: \.endpoint.priority)
    children = children.filter { groups[$0.key] != nil }
    var connect: [SubchannelID] = []
    var release: [SubchannelID] = []
    var wakeAt: ContinuousClock.Instant?
    var ejected: [SubchannelID] = []
    var chosen: LoadBalancingDecision?
    var last: LoadBalancingDecision?
    for (priority, endpoints) in groups.sorted(by: { $0.key < $1.key }) {
      guard chosen == nil else {
        // A better one serves.
        if let end = retain(priority, now: view.now) {
          wakeAt = earliest(wakeAt, end)
        } else {
          release += endpoints.flatMap(\.subchannels).filter(\.isActive).map(\.id)
        }
        continue
      }
      var child =
        children[priority]
        ?? Child(policy: makeChild(), deadline: view.now + Self.failoverTime)
      child.idleSince = nil
      var childView = view
      childView.endpoints = endpoints
      let decision = child.policy.update(childView)
      connect += decision.connect
      release += decision.release
      ejected += decision.ejected
      wakeAt = earliest(wakeAt, decision.wakeAt)
      switch decision.state {
      case .ready, .idle:
        child.deadline = nil
        child.hasFailed = false
        chosen = decision
      case .transientFailure, .shutdown:
        child.deadline = nil
        child.hasFailed = true
      case .connecting:
        // Once it has failed it is not waited for until it is ready.
        if child.deadline == nil, !child.hasFailed {
          child.deadline = view.now + Self.failoverTime
        }
        if let deadline = child.deadline, view.now < deadline {
          wakeAt = earliest(wakeAt, deadline)
          chosen = decision
        } else {
          child.deadline = nil
          child.hasFailed = true
        }
      }
      children[priority] = child
      last = decision
    }
    var decision = chosen ?? last ?? PickFirst.withoutAddresses
    decision.connect = connect
    decision.release = release
    decision.wakeAt = wakeAt
    decision.ejected = ejected
    return decision
  }

  /// Keeps a priority that is not needed, and its connections, for a while.
  ///
  /// - Returns: Until when; nil if it is not to be kept.
  private mutating func retain(
    _ priority: Int, now: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    let since = children[priority]?.idleSince ?? now
    guard now < since + Self.retentionTime else {
      children[priority] = nil
      return nil
    }
    children[priority]?.idleSince = since
    return children[priority].map { _ in since + Self.retentionTime }
  }
}
