import EventLoop
import GRPCCore

/// A channel's way to one address: at most one connection that takes calls, and those that only finish theirs.
///
/// Confined to the channel's loop. No reference to it is weak, since that would make counting references slow, which
/// every call does; what it hands itself to ends with its connection.
final class Subchannel: ClientConnectionDelegate, @unchecked Sendable {
  let id: SubchannelID
  let address: SocketAddress
  private unowned let channel: Channel
  private let channelzID = ChannelzEntity.nextID()
  /// The calls of connections that are closed.
  private var formerCalls = ChannelzCounts()
  private var machine: SubchannelStateMachine
  private var random = SystemRandomNumberGenerator()
  /// The connection in the making, or the ready one.
  private var connection: ClientConnection?
  private var leaving: [ClientConnection] = []
  @exclusivity(unchecked)
  var counters = Counters()
  /// Of the ready connection, if health matters.
  private var checker: HealthChecker?
  /// Of the ready connection, if load matters.
  private var reader: LoadReportReader?
  private var load: (report: LoadReport, received: ContinuousClock.Instant)?
  /// For the end of a backoff, or for an attempt that is paced.
  private var timer: ScheduledTimer?

  init(id: SubchannelID, address: SocketAddress, channel: Channel) {
    self.id = id
    self.address = address
    self.channel = channel
    machine = SubchannelStateMachine(backoff: channel.configuration.backoff)
  }

  var status: SubchannelStatus {
    var status = SubchannelStatus(
      id: id, state: connectivity, failure: isUnhealthy ? Self.unhealthy : machine.failure)
    status.load = load
    return status
  }

  /// The state, with a server that is not healthy as one that cannot be connected to.
  private var connectivity: ConnectivityState {
    guard machine.connectivity == .ready else { return machine.connectivity }
    switch checker?.health {
    case nil, .serving: return .ready
    case .unknown: return .connecting
    case .notServing: return .transientFailure
    }
  }

  private var isUnhealthy: Bool {
    machine.connectivity == .ready && checker?.health == .notServing
  }

  private static let unhealthy = RPCError(
    code: .unavailable, message: "The server does not report that it is SERVING.")

  /// The connection to send calls over.
  var readyConnection: ClientConnection? {
    connectivity == .ready ? connection : nil
  }

  /// The subchannel as channelz shows it.
  func channelz() -> ChannelzSubchannel {
    var shown = ChannelzSubchannel(
      id: channelzID, target: address.description,
      connectivity: ChannelzConnectivity(machine.connectivity))
    shown.calls = formerCalls
    for connection in [connection].compactMap(\.self) + leaving {
      shown.calls.add(connection.statistics.calls)
      shown.connections.append(
        connection.channelzSocket(local: "", remote: address.description))
    }
    return shown
  }

  /// Whether no connection is left.
  var isClosed: Bool { connection == nil && leaving.isEmpty }

  var openConnections: Int { leaving.count + (machine.connectivity == .ready ? 1 : 0) }

  /// Connects if idle.
  func connect() {
    let now = ContinuousClock.now
    guard let start = machine.connect(now: now, using: &random) else { return }
    if start <= now {
      attempt()
    } else {
      timer = channel.loop.schedule(at: start) { [self] in attempt() }
    }
  }

  private func attempt() {
    timer = nil
    do throws(HTTP2SessionError) {
      let connection = try ClientConnection(
        to: address, authority: channel.authority, security: channel.security,
        configuration: channel.configuration, keepalive: channel.keepalive, on: channel.loop,
        delegate: self)
      self.connection = connection
      connection.start()
    } catch {
      backOff(RPCError(code: .unavailable, message: "No HTTP/2 session can be made: \(error)."))
    }
  }

  /// Goes idle; calls that are on their way go on.
  func release() {
    guard machine.release() else { return }
    timer?.cancel()
    retire { $0.leave() }
  }

  /// Ends once the calls that were given to it have.
  func shutDown() {
    machine.shutDown()
    timer?.cancel()
    retire { $0.finish() }
  }

  /// Ends at once; calls fail.
  func close() {
    machine.shutDown()
    timer?.cancel()
    retire { _ in }
    for connection in leaving { connection.lose("the client was stopped") }
  }

  private func retire(_ end: (ClientConnection) -> Void) {
    stopChecking()
    guard let connection else { return }
    self.connection = nil
    leaving.append(connection)
    end(connection)
  }

  private func backOff(_ error: RPCError) {
    counters.connectionsFailed += 1
    guard let end = machine.failed(error, using: &random) else { return }
    timer = channel.loop.schedule(at: end) { [self] in
      guard machine.backoffEnded() else { return }
      channel.subchannelDidChange()
    }
    channel.requestResolution()
    channel.subchannelDidChange()
  }

  private func lost() {
    guard machine.lost(now: .now) else { return }
    channel.requestResolution()
    channel.subchannelDidChange()
  }

  func connectionIsReady(_ connection: ClientConnection) {
    guard connection === self.connection, machine.established(now: .now) else { return }
    counters.connectionsMade += 1
    checkHealth()
    readLoad()
    channel.subchannelDidChange()
  }

  func connectionIsLeaving(_ connection: ClientConnection) {
    guard connection === self.connection else { return }
    retire { _ in }
    lost()
  }

  func connectionAsksTooOften(_ connection: ClientConnection) {
    channel.keepalive?.time *= 2
  }

  func connectionDidClose(_ connection: ClientConnection) {
    formerCalls.add(connection.statistics.callsAtTheEnd)
    guard connection === self.connection else {
      leaving.removeAll { $0 === connection }
      return channel.subchannelDidClose()
    }
    self.connection = nil
    stopChecking()
    if machine.connectivity == .connecting {
      let error =
        connection.loss
        ?? RPCError(code: .unavailable, message: "The connection to \(address) was closed.")
      backOff(error)
    } else {
      lost()
    }
  }

  /// Asks for the server's health from now on, if it matters; begins anew if it did already.
  func checkHealth() {
    checker?.stop()
    checker = nil
    guard machine.connectivity == .ready, let connection, let service = channel.healthCheckedService
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
    guard machine.connectivity == .ready, let connection,
      let interval = channel.policy.loadReportInterval
    else { return }
    // A policy looks at the newest report when it decides anew, which it does every now and then.
    let reader = LoadReportReader(every: interval, on: connection, of: channel) { [self] in
      load = ($0, .now)
    }
    self.reader = reader
    reader.start()
  }

  private func stopChecking() {
    checker?.stop()
    checker = nil
    reader?.stop()
    reader = nil
  }
}
