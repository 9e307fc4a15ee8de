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

  private var children: [Endpoint: PickFirst] = [:]
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

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    var kept: [Endpoint: PickFirst] = [:]
    var connect: [SubchannelID] = []
    var release: [SubchannelID] = []
    var ready: [SubchannelID] = []
    var failure: RPCError?
    var isConnecting = false
    for status in view.endpoints {
      var child = children[status.endpoint] ?? PickFirst()
      let decision = child.update(status.subchannels, isWanted: true)
      kept[status.endpoint] = child
      connect += decision.connect
      release += decision.release
      isConnecting = isConnecting || decision.state == .connecting
      switch child.outcome {
      case .ready(let id): ready.append(id)
      case .failed(let error): failure = error ?? failure
      case .undecided: break
      }
    }
    children = kept
    let state: ConnectivityState
    let picker: any SubchannelPicker
    if !ready.isEmpty {
      state = .ready
      picker = rotating(over: ready)
    } else if isConnecting {
      state = .connecting
      picker = FixedPicker(.wait)
    } else {
      state = .transientFailure
      picker = FixedPicker(
        .fail(failure ?? RPCError(code: .unavailable, message: "The name has no addresses.")))
    }
    return LoadBalancingDecision(state: state, picker: picker, connect: connect, release: release)
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
