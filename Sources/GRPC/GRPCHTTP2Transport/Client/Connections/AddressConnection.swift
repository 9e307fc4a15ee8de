import EventLoop
import GRPCCore

/// The connection to one address: made, lost, and made again with a backoff. There is at most one that takes calls,
/// and there may be others that only finish theirs.
///
/// A channel's subchannel has it for itself, or shares it with those of other channels; see ``ConnectionPool``. It is
/// kept for as long as one of them wants it.
///
/// Confined to the loop of its subchannels' channels. No reference to it is weak, as none is to a ``Subchannel``.
final class AddressConnection: ClientConnectionDelegate, @unchecked Sendable {
  let address: SocketAddress
  /// Whether subchannels of several channels may use it.
  let isShared: Bool
  private let loop: EventLoop
  private let channelzID = ChannelzEntity.nextID()
  @exclusivity(unchecked)
  private var machine: SubchannelStateMachine
  private var random = SystemRandomNumberGenerator()
  private var users: [Subchannel] = []
  /// Who used it last and waits for its end, once there are no users but still connections. Nobody waits for a
  /// connection that is shared, and its last user may be gone before it.
  private var formerUser: Subchannel?
  /// The connection in the making, or the ready one.
  private(set) var connection: ClientConnection?
  private var leaving: [ClientConnection] = []
  /// For the end of a backoff, or for an attempt that is paced.
  private var timer: ScheduledTimer?
  /// The calls of connections that are closed.
  private var formerCalls = ChannelzCounts()
  private(set) var connectionsMade = 0
  private(set) var connectionsFailed = 0
  /// How many of those that were made take no calls any more, and why.
  private(set) var disconnections: [DisconnectError: Int] = [:]
  private let onUnused: () -> Void

  /// - Parameter onUnused: Called when the last subchannel has left.
  init(
    to address: SocketAddress, backoff: ConnectionBackoff, isShared: Bool = false,
    on loop: EventLoop, onUnused: @escaping () -> Void = {}
  ) {
    self.address = address
    self.isShared = isShared
    self.loop = loop
    self.onUnused = onUnused
    machine = SubchannelStateMachine(backoff: backoff)
  }

  var connectivity: ConnectivityState { machine.connectivity }

  /// Why the last attempt failed.
  var failure: RPCError? { machine.failure }

  /// Whether no connection is left.
  var isClosed: Bool { connection == nil && leaving.isEmpty }

  var openConnections: Int { leaving.count + (machine.connectivity == .ready ? 1 : 0) }

  /// The connection as channelz shows it.
  func channelz() -> ChannelzSubchannel {
    var shown = ChannelzSubchannel(
      id: channelzID, target: address.description,
      connectivity: ChannelzConnectivity(machine.connectivity))
    shown.calls = formerCalls
    for connection in connections {
      shown.calls.add(connection.statistics.calls)
      shown.connections.append(
        connection.channelzSocket(local: "", remote: address.description))
    }
    return shown
  }

  private var connections: [ClientConnection] { [connection].compactMap(\.self) + leaving }

  // MARK: Its users

  func add(_ user: Subchannel) {
    users.append(user)
  }

  /// Connects if idle.
  func connect() {
    let now = ContinuousClock.now
    guard let start = machine.connect(now: now, using: &random) else { return }
    if start <= now {
      attempt()
    } else {
      timer = loop.schedule(at: start) { [self] in attempt() }
    }
  }

  /// Forgets earlier failures, and ends the wait for the next attempt.
  func resetBackoff() {
    if machine.resetBackoff(now: .now) {
      timer?.cancel()
      attempt()
    } else if machine.connectivity == .transientFailure {
      timer?.cancel()
      endBackoff()
    }
  }

  /// Goes idle if no subchannel wants the connection any more; calls that are on their way go on.
  func releaseIfUnwanted() {
    let wasReady = machine.connectivity == .ready
    guard !users.contains(where: \.wantsConnection), machine.release() else { return }
    if wasReady { disconnections[.shutdown, default: 0] += 1 }
    timer?.cancel()
    retire { $0.leave() }
  }

  /// Lets a subchannel go. After the last one the connection ends once its calls have.
  func remove(_ user: Subchannel) {
    users.removeAll { $0 === user }
    guard users.isEmpty else { return releaseIfUnwanted() }
    if !isShared { formerUser = user }
    if machine.connectivity == .ready { disconnections[.shutdown, default: 0] += 1 }
    machine.shutDown()
    timer?.cancel()
    retire { $0.finish() }
    if isClosed { formerUser = nil }
    onUnused()
  }

  /// Ends the calls of a channel at once.
  func stop(for channel: Channel) {
    for connection in connections {
      if isShared {
        connection.fail(callsOf: channel, .stopped)
      } else {
        connection.lose("the client was stopped")
      }
    }
  }

  // MARK: Its connections

  private func attempt() {
    timer = nil
    // They would all make the same one, but that some were told to ask less often.
    guard let channel = users.first?.channel else { return }
    let keepalive = users.compactMap(\.channel.keepalive).max { $0.time < $1.time }
    do throws(HTTP2SessionError) {
      let connection = try ClientConnection(
        to: address, authority: channel.authority, security: channel.security,
        configuration: channel.configuration, keepalive: keepalive, on: loop, delegate: self)
      self.connection = connection
      connection.start()
    } catch {
      backOff(RPCError(code: .unavailable, message: "No HTTP/2 session can be made: \(error)."))
    }
  }

  private func retire(_ end: (ClientConnection) -> Void) {
    for user in users { user.stopChecking() }
    guard let connection else { return }
    self.connection = nil
    leaving.append(connection)
    end(connection)
  }

  private func backOff(_ error: RPCError) {
    connectionsFailed += 1
    guard let end = machine.failed(error, using: &random) else { return }
    timer = loop.schedule(at: end) { [self] in endBackoff() }
    for user in users where user.wantsConnection {
      user.channel.requestResolution()
      user.channel.subchannelDidChange()
    }
  }

  private func endBackoff() {
    guard machine.backoffEnded() else { return }
    for user in becomeUnwanted() { user.channel.subchannelDidChange() }
  }

  private func lost(_ connection: ClientConnection) {
    guard machine.lost(now: .now) else { return }
    disconnections[connection.disconnectError, default: 0] += 1
    for user in becomeUnwanted() {
      user.channel.requestResolution()
      user.channel.subchannelDidChange()
    }
  }

  /// An idle connection is wanted by those only who ask for it from now on.
  private func becomeUnwanted() -> [Subchannel] {
    let former = users.filter(\.wantsConnection)
    for user in former { user.wantsConnection = false }
    return former
  }

  func connectionIsReady(_ connection: ClientConnection) {
    guard connection === self.connection, machine.established(now: .now) else { return }
    connectionsMade += 1
    for user in users where user.wantsConnection { user.connectionIsReady() }
  }

  func connectionIsLeaving(_ connection: ClientConnection) {
    guard connection === self.connection else { return }
    retire { _ in }
    lost(connection)
  }

  func connectionAsksTooOften(_ connection: ClientConnection) {
    var told: Set<ObjectIdentifier> = []
    for user in users where told.insert(ObjectIdentifier(user.channel)).inserted {
      // Once a day is seldom enough, and a duration has its largest value.
      guard let time = user.channel.keepalive?.time, time < .seconds(86_400) else { continue }
      user.channel.keepalive?.time = time * 2
    }
  }

  func connectionDidClose(_ connection: ClientConnection) {
    formerCalls.add(connection.statistics.callsAtTheEnd)
    guard connection === self.connection else {
      leaving.removeAll { $0 === connection }
      let told = users.isEmpty ? [formerUser].compactMap(\.self) : users
      if isClosed { formerUser = nil }
      for user in told { user.channel.subchannelDidClose() }
      return
    }
    self.connection = nil
    for user in users { user.stopChecking() }
    if machine.connectivity == .connecting {
      let error =
        connection.loss
        ?? RPCError(code: .unavailable, message: "The connection to \(address) was closed.")
      backOff(error)
    } else {
      lost(connection)
    }
  }
}
