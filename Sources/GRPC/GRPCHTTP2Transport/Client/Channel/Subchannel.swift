import EventLoop
import GRPCCore

/// A channel's way to one address: the connection there, and what the server at its other end tells of itself.
///
/// Confined to the channel's loop. No reference to it is weak, since that would make counting references slow, which
/// every call does; what it hands itself to ends with its connection.
final class Subchannel: @unchecked Sendable {
  let id: SubchannelID
  let way: AddressConnection
  unowned let channel: Channel
  /// Whether this channel's policy has asked for the connection, and not given it up; no longer once it was lost.
  var wantsConnection = false
  private var hasLeft = false
  /// The calls on a connection that is shared, which goes on without this channel.
  private var callsOnSharedConnection = 0
  let counters: AddressCounters
  /// Of the ready connection, if health matters.
  private var checker: HealthChecker?
  /// Of the ready connection, if load matters.
  private var reader: LoadReportReader?
  private var load: (report: LoadReport, received: ContinuousClock.Instant)?

  init(
    id: SubchannelID, over way: AddressConnection, counters: AddressCounters, channel: Channel
  ) {
    self.id = id
    self.way = way
    self.counters = counters
    self.channel = channel
    way.add(self)
  }

  var address: SocketAddress { way.address }

  var status: SubchannelStatus {
    var status = SubchannelStatus(
      id: id, state: connectivity, failure: isUnhealthy ? Self.unhealthy : way.failure)
    status.load = load
    return status
  }

  /// The state, with a server that is not healthy as one that cannot be connected to.
  private var connectivity: ConnectivityState {
    guard hasConnection else { return wantsConnection ? way.connectivity : .idle }
    switch checker?.health {
    case nil, .serving: return .ready
    case .unknown: return .connecting
    case .notServing: return .transientFailure
    }
  }

  private var hasConnection: Bool { wantsConnection && way.connectivity == .ready }

  private var isUnhealthy: Bool { hasConnection && checker?.health == .notServing }

  private static let unhealthy = RPCError(
    code: .unavailable, message: "The server does not report that it is SERVING.")

  /// The connection to send calls over.
  var readyConnection: ClientConnection? {
    connectivity == .ready ? way.connection : nil
  }

  /// Whether nothing is left of this channel's.
  var isClosed: Bool { way.isShared ? callsOnSharedConnection == 0 : way.isClosed }

  /// Connects if idle.
  func connect() {
    guard !wantsConnection, !hasLeft else { return }
    wantsConnection = true
    switch way.connectivity {
    case .ready: connectionIsReady()
    // Another channel's attempt has failed; its backoff is this one's.
    case .transientFailure: channel.subchannelDidChange()
    case .idle, .connecting, .shutdown: way.connect()
    }
  }

  /// The connection takes calls.
  func connectionIsReady() {
    checkHealth()
    readLoad()
    channel.subchannelDidChange()
  }

  /// Goes idle; calls that are on their way go on.
  func release() {
    guard wantsConnection else { return }
    wantsConnection = false
    stopChecking()
    way.releaseIfUnwanted()
  }

  /// Ends once the calls that were given to it have.
  func shutDown() {
    guard !hasLeft else { return }
    hasLeft = true
    wantsConnection = false
    stopChecking()
    way.remove(self)
  }

  /// Ends at once; calls fail.
  func close() {
    shutDown()
    way.stop(for: channel)
  }

  /// Asks for the server's health from now on, if it matters; begins anew if it did already.
  func checkHealth() {
    checker?.stop()
    checker = nil
    guard hasConnection, let connection = way.connection, let service = channel.healthCheckedService
    else { return }
    let checker = HealthChecker(service, on: connection, of: channel) { [self] in
      self.channel.subchannelDidChange()
    }
    self.checker = checker
    checker.start()
  }

  /// Asks for reports of the server's load from now on, if it matters; begins anew if it did already.
  func readLoad() {
    reader?.stop()
    reader = nil
    load = nil
    guard hasConnection, let connection = way.connection,
      let interval = channel.policy.loadReportInterval
    else { return }
    // A policy looks at the newest report when it decides anew, which it does every now and then.
    let reader = LoadReportReader(every: interval, on: connection, of: channel) { [self] in
      load = ($0, .now)
    }
    self.reader = reader
    reader.start()
  }

  func stopChecking() {
    checker?.stop()
    checker = nil
    reader?.stop()
    reader = nil
  }
}

/// The calls that were sent here.
extension Subchannel {
  func callDidStart() {
    counters.picks += 1
    // On a connection that is shared, which calls are this channel's.
    if way.isShared { callsOnSharedConnection += 1 }
  }

  /// - Parameter code: How the call has ended, if that says something of the server.
  func callDidEnd(_ code: Status.Code?) {
    if let code, code != .ok { counters.failedCalls += 1 }
    guard way.isShared else { return }
    callsOnSharedConnection -= 1
    guard hasLeft, callsOnSharedConnection == 0 else { return }
    // The call itself has still to end.
    channel.loop.execute { [channel] in channel.subchannelDidClose() }
  }
}
