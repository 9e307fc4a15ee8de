import EventLoop
import GRPCCore
import Glibc
import Synchronization

/// Serves gRPC over HTTP/2 on TCP and Unix domain sockets.
///
/// Connections are spread over the event loops; a connection's calls, their handlers included, run
/// on its loop. A handler that blocks should do so elsewhere.
///
/// A Unix domain socket appears under its path when it accepts connections already, replaces one
/// that a killed process has left behind, and is removed at shutdown. A path or port that is in
/// use is an error of ``listen(router:)``.
public final class HTTP2ServerTransport: ServerTransport {
  /// Messages are arrays of bytes.
  public typealias Bytes = [UInt8]

  struct State {
    enum Phase {
      case idle
      case listening
      /// Accepts nothing more; ends with the last connection.
      case draining
      case stopped
    }

    var phase = Phase.idle
    var listeners: [ListeningSocket] = []
    /// Nil for plaintext.
    var tls: TLSContextSource?
    /// What connections are made with, from the start on.
    var routes: ServerRoutes?
    /// Connected sockets that were adopted before the start.
    var adoptedEarly: [Int32] = []
    var connections: [ObjectIdentifier: ServerConnection] = [:]
    /// How many were accepted, those included that are still being made.
    var acceptedCount = 0
    /// The same of those that were adopted, which need no room.
    var adoptedCount = 0
    var addressesWaiting: [CheckedContinuation<[SocketAddress], any Error>] = []
    var finished: CheckedContinuation<Void, Never>?
    /// The calls of connections that are closed.
    var formerCalls = ChannelzCounts()

    /// One that was accepted or adopted is gone, or could not be made.
    mutating func removeConnection(isAdopted: Bool) {
      if isAdopted { adoptedCount -= 1 } else { acceptedCount -= 1 }
    }

    /// Stops before there was anything to drain.
    mutating func stop() {
      phase = .stopped
      for descriptor in adoptedEarly { Glibc.close(descriptor) }
      adoptedEarly = []
    }
  }

  private let addresses: [SocketAddress]
  private let adopted: [Int32]
  private let security: TransportSecurity
  private let configuration: Configuration
  let eventLoops: EventLoopGroup
  /// One for each loop; none if calls are not measured.
  let recorders: [ServerMetricsRecorder]
  private let channelzID = ChannelzEntity.nextID()
  let state = Mutex(State())

  /// Makes a server that will listen on several addresses.
  ///
  /// - Parameters:
  ///   - addresses: Where to listen; a port of 0 stands for any that is free.
  ///   - descriptors: Sockets that listen already, such as those that systemd hands to a service.
  ///     The server closes them.
  ///   - transportSecurity: How connections are protected.
  ///   - configuration: The limits.
  ///   - eventLoops: The loops that the connections are spread over; they stay the caller's to
  ///     shut down.
  public init(
    listeningOn addresses: [SocketAddress], adopting descriptors: [Int32] = [],
    transportSecurity: TransportSecurity = .plaintext, configuration: Configuration = .defaults,
    eventLoops: EventLoopGroup = .shared
  ) {
    self.addresses = addresses
    adopted = descriptors
    security = transportSecurity
    self.configuration = configuration
    self.eventLoops = eventLoops
    recorders =
      configuration.measuresCalls ? eventLoops.loops.map { ServerMetricsRecorder(on: $0) } : []
  }

  /// Makes a server that will listen on one address.
  ///
  /// - Parameters:
  ///   - address: Where to listen; a port of 0 stands for any that is free.
  ///   - transportSecurity: How connections are protected.
  ///   - configuration: The limits.
  ///   - eventLoops: The loops that the connections are spread over; they stay the caller's to
  ///     shut down.
  public convenience init(
    listeningOn address: SocketAddress, transportSecurity: TransportSecurity = .plaintext,
    configuration: Configuration = .defaults, eventLoops: EventLoopGroup = .shared
  ) {
    self.init(
      listeningOn: [address], transportSecurity: transportSecurity, configuration: configuration,
      eventLoops: eventLoops)
  }

  /// The addresses the server listens on, with the ports that were chosen; waits until it does.
  ///
  /// - Throws: `RuntimeError` with `serverIsStopped` if it does not listen any more, or could not.
  public var listeningAddresses: [SocketAddress] {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<[SocketAddress], any Error>? in
          switch state.phase {
          case .idle:
            state.addressesWaiting.append(continuation)
            return nil
          case .listening: return .success(state.listeners.map(\.address))
          case .draining, .stopped: return .failure(Self.isStopped)
          }
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }

  /// The first of ``listeningAddresses``.
  public var listeningAddress: SocketAddress {
    get async throws {
      guard let first = try await listeningAddresses.first else {
        throw RuntimeError(code: .invalidArgument, message: "The server has no address.")
      }
      return first
    }
  }

  /// Serves until the shutdown is complete, or the task is cancelled, which ends all calls.
  ///
  /// - Parameter router: The methods. Later changes to it have no effect.
  /// - Throws: `RuntimeError` if an address cannot be listened on, or the server was started
  ///   before.
  public func listen(router: RPCRouter<HTTP2ServerTransport>) async throws {
    try await listen(ServerRoutes(router))
  }

  /// Serves until the shutdown is complete, or the task is cancelled, which ends all calls.
  ///
  /// - Parameter streamHandler: Handles every call, whatever its method.
  /// - Throws: `RuntimeError` if an address cannot be listened on, or the server was started
  ///   before.
  public func listen(
    streamHandler:
      @escaping @Sendable (
        _ stream: RPCStream<Inbound, Outbound>, _ context: ServerContext
      ) async -> Void
  ) async throws {
    try await listen(ServerRoutes(everythingTo: .streaming(streamHandler)))
  }

  private func listen(_ routes: ServerRoutes) async throws {
    try start(routes)
    await withTaskCancellationHandler {
      await withCheckedContinuation { finished in
        let isStopped = state.withLock { state in
          guard state.phase != .stopped else { return true }
          state.finished = finished
          return false
        }
        if isStopped { finished.resume() }
      }
    } onCancel: {
      beginGracefulShutdown()
      // Behind those that the accepting loop has just handed to the others.
      acceptLoop.execute {
        for loop in self.eventLoops.loops {
          loop.execute {
            for connection in self.currentConnections where connection.loop === loop {
              connection.abandonCalls()
            }
          }
        }
      }
    }
  }

  /// Stops accepting, lets open calls finish within the configured time, and closes.
  public func beginGracefulShutdown() {
    let (begins, waiting) = state.withLock { state in
      defer { state.addressesWaiting = [] }
      let begins = state.phase == .listening
      switch state.phase {
      case .idle: state.stop()
      case .listening: state.phase = .draining
      case .draining, .stopped: break
      }
      return (begins, state.addressesWaiting)
    }
    for continuation in waiting { continuation.resume(throwing: Self.isStopped) }
    guard begins else { return }
    acceptLoop.execute {
      for listener in self.state.withLock({ $0.listeners }) { listener.close() }
      self.state.withLock { $0.listeners = [] }
      for connection in self.currentConnections {
        connection.loop.execute { connection.drain(limit: self.configuration.maxDrainTime) }
      }
      self.finishIfDrained()
    }
  }

  static let isStopped = RuntimeError(
    code: .serverIsStopped, message: "The server does not listen any more.")

  private var acceptLoop: EventLoop { eventLoops.loops[0] }

  private var currentConnections: [ServerConnection] {
    state.withLock { Array($0.connections.values) }
  }

  private func start(_ routes: ServerRoutes) throws {
    try state.withLock { state in
      switch state.phase {
      case .idle: break
      case .listening:
        throw RuntimeError(
          code: .serverIsAlreadyRunning, message: "The server listens already.")
      case .draining, .stopped: throw Self.isStopped
      }
      do {
        state.tls = try security.contexts()
        for descriptor in adopted {
          state.listeners.append(try ListeningSocket(adopting: descriptor, on: acceptLoop))
        }
        for address in addresses {
          state.listeners.append(
            try ListeningSocket(address, options: configuration.listening, on: acceptLoop))
        }
        state.phase = .listening
      } catch {
        state.stop()
        for listener in state.listeners { acceptLoop.execute { listener.close() } }
        state.listeners = []
        for waiting in state.addressesWaiting { waiting.resume(throwing: Self.isStopped) }
        state.addressesWaiting = []
        throw error as? RuntimeError
          ?? RuntimeError(
            code: .transportError, message: "The server cannot listen", cause: error)
      }
      state.routes = routes
      let tls = state.tls
      for listener in state.listeners {
        acceptLoop.execute { self.accept(from: listener, tls, routes) }
      }
      for waiting in state.addressesWaiting {
        waiting.resume(returning: state.listeners.map(\.address))
      }
      state.addressesWaiting = []
    }
    serveAdoptedEarly()
  }

  private func accept(
    from listener: ListeningSocket, _ tls: TLSContextSource?, _ routes: ServerRoutes
  ) {
    // Fails only for want of kernel memory; the socket then queues its clients in vain.
    try? listener.start { descriptor, peer in
      guard self.takeRoom() else {
        Glibc.close(descriptor)
        return
      }
      let loop = self.eventLoops.next()
      let serve = { @Sendable in
        self.serve(descriptor, peer: peer, local: listener.address, tls, routes, on: loop)
      }
      if loop.inEventLoop { serve() } else { loop.execute(serve) }
    }
  }

  /// Makes a connection of a descriptor, for which there is room. Only on the loop.
  func serve(
    _ descriptor: Int32, peer: SocketAddress?, local: SocketAddress, _ tls: TLSContextSource?,
    _ routes: ServerRoutes, on loop: EventLoop, isAdopted: Bool = false
  ) {
    // Should it fail, it has closed the descriptor.
    guard
      let connection = try? ServerConnection(
        descriptor: descriptor, remote: peer, local: local, tls: tls, routes: routes,
        configuration: configuration, isAdopted: isAdopted,
        recorder: recorders.first { $0.loop === loop }, on: loop,
        onClose: { self.remove($0) })
    else {
      state.withLock { $0.removeConnection(isAdopted: isAdopted) }
      return finishIfDrained()
    }
    let phase = state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = connection
      return state.phase
    }
    switch phase {
    case .idle, .listening: break
    case .draining: connection.drain(limit: configuration.maxDrainTime)
    case .stopped: connection.close()
    }
  }

  /// Counts another accepted connection, if there may be one.
  private func takeRoom() -> Bool {
    state.withLock { state in
      if let limit = configuration.maxConnections, state.acceptedCount >= limit { return false }
      state.acceptedCount += 1
      return true
    }
  }

  private func remove(_ connection: ServerConnection) {
    let calls = connection.statistics.callsAtTheEnd
    state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = nil
      state.removeConnection(isAdopted: connection.isAdopted)
      state.formerCalls.add(calls)
    }
    finishIfDrained()
  }

  /// What channelz shows of the server itself, and the connections to be asked for the rest.
  func channelzState() -> (server: ChannelzServer, connections: [ServerConnection]) {
    state.withLock { state in
      var server = ChannelzServer(id: channelzID)
      server.calls = state.formerCalls
      server.listeners = state.listeners.map {
        ChannelzSocket(id: $0.channelzID, local: $0.address.description, remote: "")
      }
      return (server, Array(state.connections.values))
    }
  }

  private func finishIfDrained() {
    let finished = state.withLock { state -> CheckedContinuation<Void, Never>? in
      // The last connection may end before the sockets are closed, and their files removed.
      guard state.phase == .draining, state.listeners.isEmpty,
        state.acceptedCount + state.adoptedCount == 0
      else { return nil }
      state.phase = .stopped
      defer { state.finished = nil }
      return state.finished
    }
    finished?.resume()
  }
}
