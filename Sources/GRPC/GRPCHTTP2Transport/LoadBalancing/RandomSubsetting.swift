/// Connects to some of the endpoints only, so that with many clients and many servers not all are connected to
/// all. Which ones depends on the client's seed, and changes little when endpoints come and go.
///
/// See gRPC's proposal A68.
public struct RandomSubsetting: LoadBalancingPolicy {
  /// `random_subsetting_experimental`
  public static var name: String { "random_subsetting_experimental" }

  private let size: Int
  private var seed: UInt64
  private var child: any LoadBalancingPolicy

  /// Makes the policy.
  ///
  /// - Parameters:
  ///   - size: How many endpoints to connect to, at least 1.
  ///   - child: Spreads calls over them.
  ///   - seed: The client's own.
  public init(
    size: Int, child: any LoadBalancingPolicy = RoundRobin(),
    seed: UInt64 = .random(in: 0 ... .max)
  ) {
    self.size = max(1, size)
    self.child = child
    self.seed = seed
  }

  /// As the child wants it.
  public var loadReportInterval: Duration? { child.loadReportInterval }

  /// What the child has counted.
  public var counters: [LoadBalancingCounter: Int] { child.counters }

  /// Takes over the seed, so that the choice stays, and what the child can use of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    seed = former.seed
    child.inherit(from: former.child)
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    guard view.endpoints.count > size else { return child.update(view) }
    let ranked = view.endpoints.map { status in
      (
        XXHash64.hash("\(status.endpoint.addresses.first.map { "\($0)" } ?? "")", seed: seed),
        status
      )
    }.sorted { $0.0 < $1.0 }
    var childView = view
    childView.endpoints = ranked.prefix(size).map(\.1)
    var decision = child.update(childView)
    // Those that are not part of it any more need no connection.
    for (_, status) in ranked.dropFirst(size) {
      decision.release += status.subchannels.filter(\.isActive).map(\.id)
    }
    return decision
  }
}
