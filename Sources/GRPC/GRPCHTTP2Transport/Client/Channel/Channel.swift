import EventLoop
import GRPCCore
import Synchronization

/// Resolves a target, keeps subchannels to its endpoints, and sends each call over one of them.
///
/// ```
///   new ──run──▶ running ──shut down──▶ draining ──calls have ended──▶ stopped
///    │              │                      │                             ▲
///    └──────────────┴──────── stop ────────┴─────────────────────────────┘
/// ```
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class Channel: @unchecked Sendable {
  enum Phase {
    case new
    case running
    /// Calls that are here already go on; others fail.
    case draining
    case stopped
  }

  let loop: EventLoop
  let configuration: HTTP2ClientTransport.Configuration
  /// Nil if connections are plaintext.
  let security: ClientSecurity?
  let connectivity = ConnectivityPublisher()
  /// Asks the resolver to look again: the endpoints it gave have turned out bad.
  var requestResolution: @Sendable () -> Void = {}
  /// When connections ask a silent server whether it is still there: half as often for each time that one was sent
  /// away for it (gRPC's proposal A8).
  var keepalive: Keepalive?
  var authority = "localhost"
  var phase = Phase.new
  var onStop: [() -> Void] = []
  /// Runs when a shutdown waits for nothing but connections.
  var drainTimer: ScheduledTimer?
  /// The resolver's wait after a failure, to be ended by cancelling it.
  var resolverRest: Task<Bool, Never>?
  var activity = Activity.active
  var onActivity: (() -> Void)?
  /// Nil if the channel is never idle.
  var idleness: Idleness?
  var idleTimer: ScheduledTimer?

  var policy: any LoadBalancingPolicy
  /// What policies of its kind have counted before the channel was idle.
  var formerPolicyCounters: [LoadBalancingCounter: Int] = [:]
  @exclusivity(unchecked)
  var picker: any SubchannelPicker = FixedPicker(.wait)
  @exclusivity(unchecked)
  var subchannels = SubchannelTable()
  /// The endpoints in the resolver's order; nil before the first resolution.
  var endpoints: [ConnectedEndpoint]?
  /// Subchannels to endpoints that are gone, whose calls are not.
  var retired: [Subchannel] = []
  /// Whether to connect although no call waits.
  var isWanted = false
  /// Whether the policy's last decision was made for calls that wait.
  var isWantedByCalls = false
  var isBalancing = false
  var needsBalancing = false
  /// When the policy wants to decide anew.
  var wakeAt: ContinuousClock.Instant?
  var wakeTimer: ScheduledTimer?
  @exclusivity(unchecked)
  private var waiting = WaitingCalls()
  @exclusivity(unchecked)
  var counters = Counters()
  var addressCounters = AddressCountersTable()
  /// The subchannels that the policy has taken out.
  var ejected: Set<SubchannelID> = []
  /// Calls that are made again after a wait.
  private var resting: [ObjectIdentifier: (call: ClientCall, timer: ScheduledTimer)] = [:]
  /// What the service's configuration says of its methods; nil as long as it may still come.
  @exclusivity(unchecked)
  var methodConfigs: MethodConfigs?
  var serviceConfig: ServiceConfig?
  let published = Mutex(PublishedConfig())
  /// Keeps calls from being made again when too many fail.
  var throttle: RetryThrottle?
  /// Nil if calls are not measured.
  let recorder: ClientMetricsRecorder?
  let channelzID = ChannelzEntity.nextID()
  @exclusivity(unchecked)
  private(set) var calls = ChannelzCounts()

  struct ConnectedEndpoint {
    let endpoint: Endpoint
    let subchannels: [Subchannel]
  }

  init(
    configuration: HTTP2ClientTransport.Configuration, security: ClientSecurity?,
    on loop: EventLoop
  ) {
    self.loop = loop
    self.configuration = configuration
    self.security = security
    recorder = configuration.measuresCalls ? ClientMetricsRecorder() : nil
    policy = configuration.loadBalancing
    if let config = configuration.serviceConfig { adopt(config) }
    keepalive = configuration.keepalive
  }

  /// Whether calls wait for a connection.
  var hasWaitingCalls: Bool { !waiting.isEmpty || !resting.isEmpty }

  /// Whether any call of a user has begun and not ended.
  var hasCalls: Bool { calls.started > calls.succeeded + calls.failed }

  /// Whether new calls may begin.
  var takesCalls: Bool { phase == .new || phase == .running }

  var waitingCallCount: Int { waiting.count + resting.count }

  /// Takes a call, or one of several attempts of it.
  func start(_ call: ClientCall) {
    guard phase != .stopped else { return call.fail(.stopped) }
    call.measure?.attemptDidStart()
    pick(for: call)
  }

  /// Finds a connection for a call, or has it wait for one.
  func pick(for call: ClientCall) {
    if !call.isConfigured, let methodConfigs {
      call.configure(methodConfigs[call.method])
      guard call.isWaiting else { return }
      // Its attempts look for connections themselves.
      if call.options.executionPolicy?.hedge != nil {
        call.measure?.takeAttemptBack()
        return call.enter(self)
      }
    }
    call.untrack()
    let result = picker.pick(PickContext(call))
    switch result.choice {
    case .subchannel(let id):
      if let subchannel = subchannels[id], let connection = subchannel.readyConnection {
        counters.attempts += 1
        call.track(result, on: subchannel)
        return connection.send(call)
      }
      waiting.append(call)
    case .wait:
      waiting.append(call)
      if activity == .idle {
        leaveIdle()
      } else if connectivity.current == .idle, !isWantedByCalls {
        // A policy that stays idle although it is wanted is not asked again and again.
        balance()
      }
    case .fail(let error):
      if call.waitsForReady, takesCalls {
        waiting.append(call)
      } else {
        call.attemptDidEnd(.failure(error.ofChannel))
      }
    }
  }

  /// Why a call that waits would have failed if it did not wait for ready.
  func whyNot(_ call: ClientCall) -> RPCError? {
    if case .fail(let error) = picker.pick(PickContext(call)).choice { error } else { nil }
  }

  /// Has a call look for a connection after a wait.
  func rest(_ call: ClientCall, for wait: Duration) {
    rest(call, for: wait) { [self] in
      call.measure?.attemptDidStart()
      pick(for: call)
    }
  }

  /// Does something for a call after a wait, unless the call ends first.
  func rest(_ call: ClientCall, for wait: Duration, then act: @escaping @Sendable () -> Void) {
    let id = ObjectIdentifier(call)
    let timer = loop.schedule(after: wait) { [self] in
      resting[id] = nil
      act()
    }
    resting[id] = (call, timer)
  }

  /// Fails every call that waits to be made again.
  func failResting(_ error: RPCError) {
    let calls = resting
    resting = [:]
    for (call, timer) in calls.values {
      timer.cancel()
      call.end(.failure(error))
    }
  }

  /// Has every call that waits look at the present picker.
  func pickForWaiting() {
    var calls = waiting.takeAll()
    while let call = calls.popFirst() { pick(for: call) }
  }

  /// A call begins.
  func didBegin(_ call: ClientCall) {
    calls.countStart()
    if let recorder { call.measure = CallMeasure(recorder.record(of: call.method)) }
  }

  /// A call has ended, however it did.
  func didEnd(_ call: ClientCall) {
    if call.isCallOK { calls.succeeded += 1 } else { calls.failed += 1 }
  }

  /// A call has ended while it waited.
  func didAbandon(_ call: ClientCall) {
    if !resting.isEmpty { resting.removeValue(forKey: ObjectIdentifier(call))?.timer.cancel() }
  }
}

extension PickContext {
  fileprivate init(_ call: ClientCall) {
    self.init(
      method: call.method, metadata: call.metadata, requestHashKey: call.options.requestHashKey)
  }
}

extension RPCError {
  static var stopped: RPCError {
    RPCError(code: .unavailable, message: "The client has been shut down.")
  }
}
