import GRPCCore
import Synchronization

/// Sends each call to whichever of a few endpoints, chosen at random, has the fewest calls of this client.
///
/// See gRPC's proposal A48.
public struct LeastRequest: LoadBalancingPolicy {
  /// `least_request`
  public static var name: String { "least_request" }

  private let choiceCount: Int
  private var connections = EndpointConnections()
  private var counters: [EndpointIdentity: OutstandingCalls] = [:]
  private var generator: any RandomNumberGenerator & Sendable

  /// Makes the policy.
  ///
  /// - Parameters:
  ///   - choiceCount: How many endpoints to look at for a call, from 2 to 10.
  ///   - generator: Seeds the choices of each picker.
  public init(
    choiceCount: Int = 2,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.choiceCount = min(max(choiceCount, 2), 10)
    self.generator = generator
  }

  /// Takes over the calls that are on their way and what has come of connecting of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    connections = former.connections
    counters = former.counters
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    let summary = connections.update(view)
    counters.follow(view.endpoints) { OutstandingCalls() }
    return summary.decision {
      LeastRequestPicker(
        summary.ready.map { ($0.subchannel, counters[$0.endpoint.identity] ?? OutstandingCalls()) },
        choiceCount: choiceCount, seed: generator.next())
    }
  }
}

/// Counts the calls that are on their way to an endpoint.
final class OutstandingCalls: CallTracker {
  private let calls = Atomic(0)

  var count: Int { calls.load(ordering: .relaxed) }

  func callDidStart() {
    calls.wrappingAdd(1, ordering: .relaxed)
  }

  func callDidEnd(_ outcome: CallOutcome) {
    calls.wrappingSubtract(1, ordering: .relaxed)
  }
}

final class LeastRequestPicker: SubchannelPicker {
  private let ready: [(subchannel: SubchannelID, calls: OutstandingCalls)]
  private let choiceCount: Int
  private let random: SharedRandom

  init(
    _ ready: [(SubchannelID, OutstandingCalls)], choiceCount: Int, seed: UInt64
  ) {
    self.ready = ready.map { ($0.0, $0.1) }
    self.choiceCount = choiceCount
    random = SharedRandom(seed: seed)
  }

  func pick(_ call: PickContext) -> PickResult {
    var best = random.next(below: ready.count)
    for _ in 1..<choiceCount {
      let other = random.next(below: ready.count)
      if ready[other].calls.count < ready[best].calls.count { best = other }
    }
    return .subchannel(ready[best].subchannel, tracker: ready[best].calls)
  }
}

extension LoadBalancingPolicy where Self == LeastRequest {
  /// Sends each call to whichever of two endpoints, chosen at random, has the fewest calls of this client.
  public static var leastRequest: LeastRequest { LeastRequest() }
}
