import EventLoop
import GRPCCore
import Glibc

extension HTTP2ServerTransport {
  /// Serves the client at the other end of a socket that is connected already: one of a pair, or one that another
  /// process has accepted and hands over.
  ///
  /// The client may have sent something before, or say its first word as late as it likes: it may have to start first.
  /// Since it could not come back, it is not sent away for being idle nor for its age, and it does not count towards
  /// the connections that a server has at most. Before ``listen(router:)`` it waits for that.
  ///
  /// - Parameter descriptor: A connected stream socket, which is the server's from then on unless this throws.
  /// - Throws: `RuntimeError` with code `invalidArgument` if it is no such socket, `serverIsStopped` if the server
  ///   has been shut down.
  public func adopt(connected descriptor: Int32) throws(RuntimeError) {
    do throws(SystemError) {
      try ConnectedSocket.prepare(descriptor)
    } catch {
      throw RuntimeError(
        code: .invalidArgument,
        message: "A server adopts connected stream sockets only: \(error).", cause: error)
    }
    let phase = state.withLock { state in
      switch state.phase {
      case .idle: state.adoptedEarly.append(descriptor)
      case .listening: state.adoptedCount += 1
      case .draining, .stopped: break
      }
      return state.phase
    }
    switch phase {
    case .idle: break
    case .listening: serveAdopted(descriptor)
    case .draining, .stopped: throw Self.isStopped
    }
  }

  /// Serves those who have waited for the start.
  func serveAdoptedEarly() {
    let descriptors = state.withLock { state in
      defer { state.adoptedEarly = [] }
      state.adoptedCount += state.adoptedEarly.count
      return state.adoptedEarly
    }
    for descriptor in descriptors { serveAdopted(descriptor) }
  }

  private func serveAdopted(_ descriptor: Int32) {
    let (tls, routes) = state.withLock { ($0.tls, $0.routes) }
    guard let routes else { return }
    let peer = SocketAddressStorage.filled { getpeername(descriptor, $0, $1) }.address
    let local = SocketAddressStorage.filled { getsockname(descriptor, $0, $1) }.address
    let loop = eventLoops.next()
    loop.execute {
      self.serve(
        descriptor, peer: peer, local: local ?? .unixDomainSocket(path: ""), tls, routes, on: loop,
        isAdopted: true)
    }
  }
}
