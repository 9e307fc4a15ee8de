import GRPCCore
import Synchronization

/// Takes endpoints that fail much more often than the others out for a while, and lets them back in.
///
/// Every interval the calls of each endpoint are judged. An endpoint that is ejected gets no calls from the
/// child policy, longer each time; one that behaves gets its past forgiven.
///
/// See gRPC's proposals A50 and A91.
public struct OutlierDetection: LoadBalancingPolicy {
  /// `outlier_detection_experimental`
  public static var name: String { "outlier_detection_experimental" }

  private let settings: Settings
  private var child: any LoadBalancingPolicy
  private var records: [EndpointIdentity: EndpointRecord] = [:]
  private var ownCounters: [LoadBalancingCounter: Int] = [:]
  /// When the interval began whose calls are counted now; nil while nobody is judged.
  private var countingSince: ContinuousClock.Instant?
  private var generator: any RandomNumberGenerator & Sendable

  /// Makes the policy.
  ///
  /// - Parameters:
  ///   - settings: How endpoints are judged.
  ///   - child: Spreads calls over those that remain.
  ///   - generator: Decides where an ejection is enforced in part of the cases only.
  public init(
    _ settings: Settings = Settings(), child: any LoadBalancingPolicy = RoundRobin(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.settings = settings
    self.child = child
    self.generator = generator
  }

  /// As the child wants it.
  public var loadReportInterval: Duration? { child.loadReportInterval }

  /// How often endpoints were taken out, and found bad but not taken out.
  public var counters: [LoadBalancingCounter: Int] {
    ownCounters.merging(child.counters) { $0 + $1 }
  }

  /// Takes over who is out and why, the calls of this interval, and what the child can use, of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    records = former.records
    ownCounters = former.ownCounters
    countingSince = former.countingSince
    child.inherit(from: former.child)
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    records.follow(view.endpoints) { EndpointRecord() }
    judgeIfDue(view)
    var childView = view
    var trackers: [SubchannelID: CallCounts] = [:]
    var ejected: [SubchannelID] = []
    let isEjecting = !settings.usesEjectedAsLastResort || hasOthers(view)
    for index in childView.endpoints.indices {
      guard let record = records[childView.endpoints[index].endpoint.identity] else { continue }
      for place in childView.endpoints[index].subchannels.indices {
        trackers[childView.endpoints[index].subchannels[place].id] = record.counts
        guard isEjecting, record.ejectedSince != nil else { continue }
        ejected.append(childView.endpoints[index].subchannels[place].id)
        // To the child it looks as if it could not be connected to.
        childView.endpoints[index].subchannels[place].eject()
      }
    }
    var decision = child.update(childView)
    if countingSince != nil { decision.picker = CountingPicker(decision.picker, trackers) }
    decision.wakeAt = earliest(decision.wakeAt, nextJudgement)
    decision.ejected += ejected
    return decision
  }

  /// Whether an endpoint that is not out can be connected to, as far as is known.
  private func hasOthers(_ view: LoadBalancingView) -> Bool {
    view.endpoints.contains { endpoint in
      records[endpoint.endpoint.identity]?.ejectedSince == nil
        && endpoint.subchannels.contains {
          // One whose backoff is over is no better than before.
          $0.state == .ready || $0.state != .transientFailure && $0.failure == nil
        }
    }
  }

  private mutating func judgeIfDue(_ view: LoadBalancingView) {
    guard settings.successRate != nil || settings.failurePercentage != nil else {
      // Whoever a former configuration has taken out is back, and its past forgiven.
      if countingSince != nil { records = records.mapValues { _ in EndpointRecord() } }
      countingSince = nil
      return
    }
    guard let due = nextJudgement else {
      countingSince = view.now
      return
    }
    guard view.now >= due else { return }
    countingSince = view.now
    let settings = settings
    // In the resolver's order, so that the same past has the same outcome.
    let order = view.endpoints.map(\.endpoint.identity)
    for identity in order { records[identity]?.takeCounts(settings) }
    judgeSuccessRates(order, now: view.now)
    judgeFailurePercentages(order, now: view.now)
    for identity in order { records[identity]?.review(now: view.now, settings) }
  }

  private var nextJudgement: ContinuousClock.Instant? {
    // Without any time in between there would be nothing but judgements.
    countingSince.map { $0 + max(settings.interval, .milliseconds(1)) }
  }

  private mutating func judgeSuccessRates(
    _ order: [EndpointIdentity], now: ContinuousClock.Instant
  ) {
    guard let rule = settings.successRate else { return }
    let judged = order.filter { (records[$0]?.total ?? 0) >= rule.requestVolume }
    guard judged.count >= rule.minimumHosts, !judged.isEmpty else { return }
    let rates = judged.map { records[$0]?.successRate ?? 1 }
    let mean = rates.reduce(0, +) / Double(rates.count)
    let variance = rates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rates.count)
    let threshold = mean - variance.squareRoot() * Double(rule.stdevFactor) / 1000
    for (identity, rate) in zip(judged, rates) where rate < threshold {
      ejectIfAllowed(identity, "success_rate", rule.enforcementPercentage, now: now)
    }
  }

  private mutating func judgeFailurePercentages(
    _ order: [EndpointIdentity], now: ContinuousClock.Instant
  ) {
    guard let rule = settings.failurePercentage else { return }
    let judged = order.filter { (records[$0]?.total ?? 0) >= rule.requestVolume }
    guard judged.count >= rule.minimumHosts else { return }
    for identity in judged {
      guard let record = records[identity], 100 * (1 - record.successRate) > Double(rule.threshold)
      else { continue }
      ejectIfAllowed(identity, "failure_percentage", rule.enforcementPercentage, now: now)
    }
  }

  private mutating func ejectIfAllowed(
    _ identity: EndpointIdentity, _ method: String, _ enforcement: Int,
    now: ContinuousClock.Instant
  ) {
    guard settings.maxEjectionPercent > 0, records[identity]?.ejectedSince == nil else { return }
    let ejected = records.values.count { $0.ejectedSince != nil }
    // One endpoint may always be ejected, or small sets would have no detection at all.
    guard ejected == 0 || 100 * ejected < settings.maxEjectionPercent * records.count else {
      return count(method, unenforcedBecauseOf: "max_ejection_overflow")
    }
    guard Int.random(in: 0..<100, using: &generator) < enforcement else {
      return count(method, unenforcedBecauseOf: "enforcement_percentage")
    }
    records[identity]?.eject(now: now)
    count(method)
  }

  private mutating func count(_ method: String, unenforcedBecauseOf reason: String? = nil) {
    let prefix = "grpc.lb.outlier_detection"
    var counter = LoadBalancingCounter(
      name: "\(prefix).ejections_\(reason == nil ? "enforced" : "unenforced")",
      labels: ["\(prefix).detection_method": method])
    if let reason { counter.labels["\(prefix).unenforced_reason"] = reason }
    ownCounters[counter, default: 0] += 1
  }
}

/// What outlier detection remembers of an endpoint.
struct EndpointRecord: Sendable {
  let counts = CallCounts()
  private(set) var ejectedSince: ContinuousClock.Instant?
  private(set) var multiplier = 0
  private(set) var total = 0
  private(set) var successRate = 1.0

  mutating func takeCounts(_ settings: OutlierDetection.Settings) {
    let (answered, refused, failures) = counts.take()
    total = answered + refused + failures
    let successes = settings.acceptsRefusals ? answered + refused : answered
    successRate = total == 0 ? 1 : Double(successes) / Double(total)
  }

  mutating func eject(now: ContinuousClock.Instant) {
    ejectedSince = now
    multiplier += 1
  }

  /// Lets the endpoint back in when its time is over, and forgives one that was in.
  mutating func review(now: ContinuousClock.Instant, _ settings: OutlierDetection.Settings) {
    guard let since = ejectedSince else {
      multiplier = max(0, multiplier - 1)
      return
    }
    let longest = max(settings.baseEjectionTime, settings.maxEjectionTime)
    if now > since + min(settings.baseEjectionTime * multiplier, longest) { ejectedSince = nil }
  }
}

/// Counts how calls end.
final class CallCounts: CallTracker {
  private let successes = Atomic(0)
  private let refusals = Atomic(0)
  private let failures = Atomic(0)

  func callDidStart() {}

  func callDidEnd(_ outcome: CallOutcome) {
    guard let code = outcome.code else { return }
    switch code {
    case .ok: successes.wrappingAdd(1, ordering: .relaxed)
    case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .unauthenticated,
      .failedPrecondition, .outOfRange, .aborted, .resourceExhausted:
      refusals.wrappingAdd(1, ordering: .relaxed)
    default: failures.wrappingAdd(1, ordering: .relaxed)
    }
  }

  func take() -> (successes: Int, refusals: Int, failures: Int) {
    (
      successes.exchange(0, ordering: .relaxed), refusals.exchange(0, ordering: .relaxed),
      failures.exchange(0, ordering: .relaxed)
    )
  }
}

/// Has the calls of another picker counted.
struct CountingPicker: SubchannelPicker {
  private let picker: any SubchannelPicker
  private let counts: [SubchannelID: CallCounts]

  init(_ picker: any SubchannelPicker, _ counts: [SubchannelID: CallCounts]) {
    self.picker = picker
    self.counts = counts
  }

  func pick(_ call: PickContext) -> PickResult {
    let result = picker.pick(call)
    guard case .subchannel(let id) = result.choice, let counts = counts[id] else { return result }
    return result.observed(by: counts)
  }
}

extension SubchannelStatus {
  /// Makes the subchannel look as if it could not be connected to.
  fileprivate mutating func eject() {
    guard state == .ready else { return }
    state = .transientFailure
    failure = RPCError(
      code: .unavailable, message: "The endpoint fails too many calls and was taken out.")
  }
}

extension LoadBalancingPolicy where Self == OutlierDetection {
  /// Takes endpoints that fail much more often than the others out for a while.
  ///
  /// - Parameters:
  ///   - settings: How endpoints are judged.
  ///   - child: Spreads calls over those that remain.
  /// - Returns: The policy.
  public static func outlierDetection(
    _ settings: OutlierDetection.Settings = OutlierDetection.Settings(),
    child: any LoadBalancingPolicy
  ) -> OutlierDetection {
    OutlierDetection(settings, child: child)
  }
}
