import GRPCCore

/// Sends all calls with the same key to the same endpoint for as long as it is ready.
///
/// Each endpoint has places on a ring, as many as its weight is worth; a call goes to the endpoint at the next
/// place after its key's hash, or to those that follow if that one has failed. When one of n endpoints goes,
/// only the keys that it had move. A call's key is its options' `requestHashKey`, or else a header; a call without one goes anywhere.
///
/// See gRPC's proposals A42 and A76.
public struct RingHash: LoadBalancingPolicy {
  /// `ring_hash_experimental`
  public static var name: String { "ring_hash_experimental" }

  private let minRingSize: Int
  private let maxRingSize: Int
  private let header: String
  private var connections = EndpointConnections()
  private var ring: Ring?
  private var generator: any RandomNumberGenerator & Sendable

  /// Makes the policy.
  ///
  /// - Parameters:
  ///   - header: The metadata key whose text is a call's key, where its options name none; empty for no such key.
  ///   - minRingSize: How many places a ring of four endpoints has, from 1 to 4096. Each keeps its quarter however
  ///     many there are, as far as the ring has room.
  ///   - maxRingSize: How many places a ring has at most, from 1 to 4096.
  ///   - generator: Chooses for calls that have no key.
  public init(
    header: String = "", minRingSize: Int = 1024, maxRingSize: Int = 4096,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.header = header
    self.maxRingSize = min(max(maxRingSize, 1), 4096)
    self.minRingSize = min(max(minRingSize, 1), self.maxRingSize)
    self.generator = generator
  }

  /// Takes over the ring and what has come of connecting of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    connections = former.connections
    if minRingSize == former.minRingSize, maxRingSize == former.maxRingSize { ring = former.ring }
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    let summary = connections.update(view)
    let members = view.endpoints.map { Ring.Member($0.endpoint) }
    if ring?.members != members {
      ring = Ring(members, minimum: minRingSize, maximum: maxRingSize)
    }
    return summary.decision {
      RingPicker(
        ring ?? Ring([], minimum: 1, maximum: 1), outcomes: summary.outcomes.map(\.outcome),
        header: header, seed: generator.next())
    }
  }
}

/// Places on a circle of hashes, each of which belongs to an endpoint.
struct Ring: Sendable {
  struct Member: Hashable, Sendable {
    /// An endpoint's first address: a successor at the same address has the same places.
    var key: String
    var weight: Int

    init(_ endpoint: Endpoint) {
      key = endpoint.addresses.first.map { "\($0)" } ?? ""
      weight = endpoint.weight
    }
  }

  let members: [Member]
  /// In order of their hashes.
  let places: [(hash: UInt64, member: Int)]

  init(_ members: [Member], minimum: Int, maximum: Int) {
    self.members = members
    let total = members.reduce(0) { $0 + Double($1.weight) }
    guard total > 0, let lightest = members.map(\.weight).min() else {
      places = []
      return
    }
    // A member's places do not depend on how many others there are, or keys of those that stay would move.
    let wanted = Double(max(1, minimum / 4)) / Double(lightest)
    let perWeight = min(wanted, Double(maximum) / total)
    var places: [(hash: UInt64, member: Int)] = []
    for (index, member) in members.enumerated() {
      let count = max(1, Int((perWeight * Double(member.weight)).rounded(.down)))
      for number in 0..<count {
        places.append((XXHash64.hash("\(member.key)_\(number)"), index))
      }
    }
    self.places = places.sorted { $0.hash < $1.hash }
  }

  /// The first place at or after a hash, going round at the end.
  func place(after hash: UInt64) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    return low == places.count ? 0 : low
  }
}

final class RingPicker: SubchannelPicker {
  private let ring: Ring
  private let outcomes: [PickFirst.Outcome]
  private let header: String
  private let random: SharedRandom

  init(_ ring: Ring, outcomes: [PickFirst.Outcome], header: String, seed: UInt64) {
    self.ring = ring
    self.outcomes = outcomes
    self.header = header
    random = SharedRandom(seed: seed)
  }

  func pick(_ call: PickContext) -> PickResult {
    guard !ring.places.isEmpty else { return .wait }
    let key = call.requestHashKey ?? headerKey(call.metadata)
    let start = ring.place(after: key.map { XXHash64.hash($0) } ?? random.next())
    for offset in 0..<ring.places.count {
      switch outcomes[ring.places[(start + offset) % ring.places.count].member] {
      case .ready(let id): return .subchannel(id)
      // A key's own endpoint is waited for; it will be back before its keys are known elsewhere.
      case .undecided where key != nil: return .wait
      case .undecided, .failed: continue
      }
    }
    return .wait
  }

  private func headerKey(_ metadata: Metadata) -> String? {
    guard !header.isEmpty else { return nil }
    var keys = metadata[stringValues: header].makeIterator()
    return keys.next()
  }
}

extension LoadBalancingPolicy where Self == RingHash {
  /// Sends all calls with the same key to the same endpoint for as long as it is ready.
  ///
  /// - Parameter header: The metadata key whose text is a call's key, where its options name none.
  /// - Returns: The policy.
  public static func ringHash(header: String = "") -> RingHash { RingHash(header: header) }
}
