import GRPCCore
import Synchronization

/// Spreads calls over all endpoints that are ready, in turn.
///
/// Every endpoint is connected to, and again as soon as its connection is lost. Of an endpoint with several
/// addresses the first that can be connected to is used. Each new picker starts at a random endpoint,
/// so that many clients do not all begin with the same one.
public struct RoundRobin: LoadBalancingPolicy {
  /// `round_robin`
  public static var name: String { "round_robin" }

  private var connections = EndpointConnections()
  /// Kept while the same subchannels are ready, so that the turn is kept too.
  private var rotation: RotatingPicker?
  private var generator: any RandomNumberGenerator & Sendable

  /// Makes the policy.
  ///
  /// - Parameter generator: Chooses where each picker starts.
  public init(
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.generator = generator
  }

  /// Takes over the turn and what has come of connecting of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    connections = former.connections
    rotation = former.rotation
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    let summary = connections.update(view)
    return summary.decision { rotating(over: summary.ready.map(\.subchannel)) }
  }

  private mutating func rotating(over ready: [SubchannelID]) -> any SubchannelPicker {
    if let rotation, rotation.ready == ready { return rotation }
    let picker = RotatingPicker(
      ready, start: Int.random(in: 0..<ready.count, using: &generator))
    rotation = picker
    return picker
  }
}

/// Chooses each of several ready subchannels in turn.
final class RotatingPicker: SubchannelPicker {
  let ready: [SubchannelID]
  private let next: Atomic<Int>

  init(_ ready: [SubchannelID], start: Int) {
    self.ready = ready
    next = Atomic(start)
  }

  func pick(_ call: PickContext) -> PickResult {
    let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return .subchannel(ready[Int(bitPattern: UInt(bitPattern: turn) % UInt(ready.count))])
  }
}

extension LoadBalancingPolicy where Self == RoundRobin {
  /// Spreads calls over all endpoints that are ready, in turn.
  public static var roundRobin: RoundRobin { RoundRobin() }
}
