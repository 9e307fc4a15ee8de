import GRPCCore
import Synchronization

/// Spreads calls by what servers report of their load: who serves more for less gets more.
///
/// A server's weight is its requests per second by its utilization, errors counted as load. Servers of which
/// nothing is known get the mean.
///
/// See gRPC's proposal A58.
public struct WeightedRoundRobin: LoadBalancingPolicy {
  /// `weighted_round_robin`
  public static var name: String { "weighted_round_robin" }

  /// How reports become weights. The default values are the proposal's own.
  public struct Settings: Sendable, Hashable {
    /// How long a server must have reported before its reports count.
    public var blackoutPeriod: Duration = .seconds(10)
    /// After which silence a server's reports count no more.
    public var weightExpirationPeriod: Duration = .seconds(180)
    /// How often weights are computed; at most ten times a second.
    public var weightUpdatePeriod: Duration = .seconds(1)
    /// How much load an error counts for, as a multiple of its part of all requests.
    public var errorUtilizationPenalty = 1.0
    /// How often servers are asked to report their load beside calls; they report with each call if nil.
    public var outOfBandReportInterval: Duration?

    /// Makes the proposal's own values.
    public init() {}
  }

  private let settings: Settings
  private var connections = EndpointConnections()
  private var reports: [EndpointIdentity: ReportedWeight] = [:]
  private var connected: Set<EndpointIdentity> = []
  private var generator: any RandomNumberGenerator & Sendable

  /// Makes the policy.
  ///
  /// - Parameters:
  ///   - settings: How reports become weights.
  ///   - generator: Chooses where each picker starts.
  public init(
    _ settings: Settings = Settings(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.settings = settings
    self.generator = generator
  }

  /// As the settings say.
  public var loadReportInterval: Duration? { settings.outOfBandReportInterval }

  /// Takes over the weights and what has come of connecting of a policy of this kind.
  ///
  /// - Parameter former: The policy in whose place this one comes.
  public mutating func inherit(from former: any LoadBalancingPolicy) {
    guard let former = former as? Self else { return }
    connections = former.connections
    reports = former.reports
    connected = former.connected
    for report in reports.values { report.configure(settings) }
  }

  /// Says what to do now, given the state of every endpoint.
  ///
  /// - Parameter view: The endpoints, in the resolver's order, and whether calls wait.
  /// - Returns: The channel's state, the picker that replaces the last one, and what to connect.
  public mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
    let summary = connections.update(view)
    let settings = settings
    reports.follow(view.endpoints) { ReportedWeight(settings) }
    let ready = Set(summary.ready.map(\.endpoint.identity))
    // What is behind a new connection has just begun, so that its reports say little.
    for identity in ready.subtracting(connected) { reports[identity]?.forget() }
    connected = ready
    if settings.outOfBandReportInterval != nil {
      for status in view.endpoints {
        for case let (report, received)? in status.subchannels.map(\.load) {
          reports[status.endpoint.identity]?.report(report, now: received)
        }
      }
    }
    let choices = summary.ready.compactMap { ready in
      reports[ready.endpoint.identity].map { (ready.subchannel, $0) }
    }
    var decision = summary.decision {
      StridePicker(
        choices.map { id, report in (id, report, report.weight(now: view.now)) },
        start: generator.next())
    }
    if choices.count > 1 {
      let period = max(settings.weightUpdatePeriod, .milliseconds(100))
      decision.wakeAt = earliest(decision.wakeAt, view.now + period)
    }
    return decision
  }
}

/// What a server has reported of its load.
final class ReportedWeight: CallTracker {
  private struct State {
    var weight = 0.0
    var settings: WeightedRoundRobin.Settings
    var firstReport: ContinuousClock.Instant?
    var lastReport: ContinuousClock.Instant?
  }

  private let state: Mutex<State>

  init(_ settings: WeightedRoundRobin.Settings = WeightedRoundRobin.Settings()) {
    state = Mutex(State(settings: settings))
  }

  /// Has reports count otherwise from now on.
  func configure(_ settings: WeightedRoundRobin.Settings) {
    state.withLock { $0.settings = settings }
  }

  func callDidStart() {}

  func callDidEnd(_ outcome: CallOutcome) {
    guard let load = outcome.load else { return }
    let usesCalls = state.withLock { $0.settings.outOfBandReportInterval == nil }
    if usesCalls { report(load, now: .now) }
  }

  func report(_ load: LoadReport, now: ContinuousClock.Instant) {
    guard load.requestsPerSecond > 0 else { return }
    let base = load.applicationUtilization > 0 ? load.applicationUtilization : load.cpuUtilization
    state.withLock { state in
      let errors =
        load.errorsPerSecond / load.requestsPerSecond * state.settings.errorUtilizationPenalty
      guard base + errors > 0 else { return }
      // What no server means would make sums and quotients of weights infinite.
      state.weight = min(max(load.requestsPerSecond / (base + errors), 1e-100), 1e100)
      if state.firstReport == nil { state.firstReport = now }
      state.lastReport = now
    }
  }

  /// Begins another blackout with the next report.
  func forget() {
    state.withLock { $0.firstReport = nil }
  }

  /// The weight; 0 if nothing is known.
  func weight(now: ContinuousClock.Instant) -> Double {
    state.withLock { state in
      let settings = state.settings
      guard let first = state.firstReport, let last = state.lastReport else { return 0 }
      guard last.duration(to: now) < settings.weightExpirationPeriod else {
        // When it speaks again its reports count after another blackout.
        state.firstReport = nil
        return 0
      }
      return first.duration(to: now) >= settings.blackoutPeriod ? state.weight : 0
    }
  }
}

/// Chooses each of several subchannels as often as its weight says, evenly spread and without a lock: the
/// static stride scheduler of gRPC's implementations.
final class StridePicker: SubchannelPicker {
  private let ready: [(subchannel: SubchannelID, tracker: ReportedWeight)]
  /// Scaled so that the heaviest has the largest value.
  let weights: [UInt16]
  private let sequence: Atomic<UInt64>

  init(_ ready: [(SubchannelID, ReportedWeight, weight: Double)], start: UInt64) {
    self.ready = ready.map { ($0.0, $0.1) }
    let known = ready.map(\.weight).filter { $0 > 0 }
    let largest = Double(UInt16.max)
    if known.count < 2 {
      weights = Array(repeating: .max, count: ready.count)
    } else {
      let mean = known.reduce(0, +) / Double(known.count)
      // Nobody gets more than ten times, or less than a tenth of, the mean.
      let bounded = ready.map { $0.weight > 0 ? min(max($0.weight, mean / 10), mean * 10) : mean }
      let scale = largest / (bounded.max() ?? 1)
      weights = bounded.map { UInt16(max(1, ($0 * scale).rounded())) }
    }
    sequence = Atomic(start % (UInt64(max(1, ready.count)) << 16))
  }

  func pick(_ call: PickContext) -> PickResult {
    while true {
      let number = sequence.wrappingAdd(1, ordering: .relaxed).oldValue
      let count = UInt64(ready.count)
      let index = Int(number % count)
      let generation = number / count
      let weight = UInt64(weights[index])
      // In each generation an endpoint is passed over as often as its weight falls short of the largest.
      let offset = UInt64(UInt16.max / 2) &* UInt64(index)
      if (weight &* generation &+ offset) % UInt64(UInt16.max) < UInt64(UInt16.max) - weight {
        continue
      }
      return .subchannel(ready[index].subchannel, tracker: ready[index].tracker)
    }
  }
}
