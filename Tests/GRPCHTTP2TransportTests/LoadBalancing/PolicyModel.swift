import GRPCCore
import KartTesting

@testable import GRPCHTTP2Transport

/// A channel without sockets: endpoints come and go, connections succeed, fail and are lost as dice have it, and
/// time passes when they say so.
struct PolicyModel {
  private struct Server {
    let endpoint: Endpoint
    var subchannels: [SubchannelStatus]
  }

  private let make: (_ seed: UInt64) -> any LoadBalancingPolicy
  private var policy: any LoadBalancingPolicy
  private var random: SeededGenerator
  private var servers: [Server] = []
  private var nextAddress = 1
  private var nextID: UInt64 = 1
  private var elapsed = Duration.zero
  private(set) var decision: LoadBalancingDecision
  /// Calls under way.
  private var calls: [PickResult] = []
  /// What was wrong, and when.
  private(set) var mistakes: [String] = []
  private(set) var steps = 0

  /// - Parameter make: Makes the policy, again whenever the service's configuration changes.
  init(seed: UInt64, _ make: @escaping (_ seed: UInt64) -> any LoadBalancingPolicy) {
    self.make = make
    policy = make(seed)
    random = SeededGenerator(seed: seed)
    decision = LoadBalancingDecision(state: .idle, picker: FixedPicker(.wait))
  }

  private var now: ContinuousClock.Instant { .beginning + elapsed }

  private var places: [(server: Int, subchannel: Int)] {
    servers.indices.flatMap { server in
      servers[server].subchannels.indices.map { (server, $0) }
    }
  }

  private var statuses: [SubchannelStatus] { servers.flatMap(\.subchannels) }

  // MARK: What happens

  /// Does something at random, lets the policy decide, and makes calls.
  mutating func step() {
    steps += 1
    switch Int.random(in: 0..<13, using: &random) {
    case 0: add()
    case 1 where !servers.isEmpty:
      servers.remove(at: Int.random(in: 0..<servers.count, using: &random))
    case 2: servers.shuffle(using: &random)
    case 3: elapsed += .milliseconds(Int.random(in: 1...400, using: &random))
    case 4: elapsed += .seconds(Int.random(in: 1...40, using: &random))
    case 5: inherit()
    default: change(mayFail: true)
    }
    update()
    for _ in 0..<8 { call() }
    while calls.count > 20 { endCall(.random(in: 0..<calls.count, using: &random)) }
  }

  /// Lets everything succeed, so many times.
  mutating func heal(_ count: Int) {
    if servers.isEmpty { add() }
    while !calls.isEmpty { endCall(0, code: .ok) }
    for _ in 0..<count {
      steps += 1
      for _ in 0..<4 { change(mayFail: false) }
      elapsed += .seconds(5)
      update()
    }
  }

  private mutating func add() {
    guard servers.count < 6 else { return }
    var subchannels: [SubchannelStatus] = []
    var addresses: [SocketAddress] = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      addresses.append(.ipv4(host: "10.0.0.\(nextAddress % 250)", port: nextAddress))
      nextAddress += 1
      subchannels.append(SubchannelStatus(id: SubchannelID(rawValue: nextID), state: .idle))
      nextID += 1
    }
    servers.append(
      Server(
        endpoint: Endpoint(
          addresses: addresses, weight: .random(in: 1...5, using: &random),
          priority: .random(in: 0...2, using: &random)), subchannels: subchannels))
  }

  /// The policy is made anew. What it decides must be as before, but for the choices of its picker.
  private mutating func inherit() {
    update()
    let former = decision
    var heir = make(random.next())
    heir.inherit(from: policy)
    policy = heir
    decision = policy.update(view)
    if decision.state != former.state || decision.wakeAt != former.wakeAt
      || decision.ejected != former.ejected || obey()
    {
      note("its heir decides otherwise")
    }
  }

  /// One subchannel's attempt ends, its backoff does, or its connection.
  private mutating func change(mayFail: Bool) {
    guard let place = places.randomElement(using: &random) else { return }
    func set(_ state: ConnectivityState) {
      servers[place.server].subchannels[place.subchannel].state = state
    }
    let id = servers[place.server].subchannels[place.subchannel].id
    switch servers[place.server].subchannels[place.subchannel].state {
    case .connecting where mayFail && Bool.random(using: &random):
      set(.transientFailure)
      servers[place.server].subchannels[place.subchannel].failure = .numbered(id.number)
    case .connecting: set(.ready)
    case .transientFailure: set(.idle)
    case .ready where mayFail && Int.random(in: 0..<3, using: &random) == 0: set(.idle)
    case .ready, .idle, .shutdown: break
    }
  }

  // MARK: What the policy makes of it

  private var view: LoadBalancingView {
    LoadBalancingView(
      endpoints: servers.map {
        EndpointStatus(endpoint: $0.endpoint, subchannels: $0.subchannels)
      }, isWanted: true, now: now)
  }

  private mutating func update() {
    // What a policy asks for changes what it sees, but not for ever.
    for round in 0... {
      decision = policy.update(view)
      check()
      guard obey() else { return }
      guard round < 50 else { return note("it asks for something new again and again") }
    }
  }

  private mutating func obey() -> Bool {
    var hasChanged = false
    for place in places {
      let status = servers[place.server].subchannels[place.subchannel]
      if decision.release.contains(status.id), status.state != .idle {
        servers[place.server].subchannels[place.subchannel].state = .idle
        hasChanged = true
      }
      if decision.connect.contains(status.id), status.state == .idle {
        servers[place.server].subchannels[place.subchannel].state = .connecting
        hasChanged = true
      }
    }
    return hasChanged
  }

  private mutating func check() {
    let known = Dictionary(uniqueKeysWithValues: statuses.map { ($0.id, $0.state) })
    for id in decision.connect where known[id] == nil { note("it connects \(id), which is gone") }
    for id in decision.release where known[id] == nil { note("it releases \(id), which is gone") }
    if !Set(decision.connect).isDisjoint(with: decision.release) {
      note("it connects what it releases")
    }
    if servers.isEmpty, decision.state != .transientFailure {
      note("it has no endpoint to be \(decision.state) with")
    }
    if decision.state == .ready, !statuses.contains(where: { $0.state == .ready }) {
      note("it is ready with nothing that is")
    }
    if let wake = decision.wakeAt, wake <= now, decision.connect.isEmpty, decision.release.isEmpty {
      note("it wants to be woken in the past")
    }
  }

  private mutating func call() {
    let result = decision.picker.pick(["race": "\(Int.random(in: 0..<50, using: &random))"])
    guard case .subchannel(let id) = result.choice else {
      if case .fail = result.choice, decision.state == .ready { note("it fails calls while ready") }
      return
    }
    guard statuses.contains(where: { $0.id == id && $0.state == .ready }) else {
      // Until the next update a picker is of the past; but this one is new.
      return note("it picks \(id), which is not ready")
    }
    result.tracker?.callDidStart()
    result.observer?.callDidStart()
    calls.append(result)
  }

  private mutating func endCall(_ index: Int, code: Status.Code? = nil) {
    let result = calls.remove(at: index)
    let codes: [Status.Code?] = [.ok, .ok, .unavailable, nil]
    let load: LoadReport? =
      Bool.random(using: &random)
      ? nil : LoadReport(cpuUtilization: .random(in: 0...1, using: &random), requestsPerSecond: 10)
    let outcome = CallOutcome(
      code: code ?? codes[Int.random(in: 0..<codes.count, using: &random)], load: load)
    result.tracker?.callDidEnd(outcome)
    result.observer?.callDidEnd(outcome)
  }

  /// How many of so many calls get a connection now.
  func served(of count: Int) -> Int {
    (0..<count).count { number in
      let result = decision.picker.pick(["race": "\(number)"])
      if case .subchannel = result.choice { return true }
      return false
    }
  }

  private mutating func note(_ mistake: String) {
    mistakes.append("step \(steps): \(mistake)")
  }
}
