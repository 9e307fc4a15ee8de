import GRPCCore
import Synchronization

/// The lives of both ends, and the calls between them.
///
/// Each end goes idle → open → draining → closed. Calls are let through while both ends are open;
/// those made earlier wait.
final class InProcessLink: Sendable {
  private enum End {
    case idle
    case open
    case draining
    case closed
  }

  private struct State {
    var client = End.idle
    var server = End.idle
    var calls: [ObjectIdentifier: InProcessCall] = [:]
    var waiting: [InProcessCall] = []
    var accept: AsyncStream<InProcessCall>.Continuation?
    var clientDrained: CheckedContinuation<Void, Never>?

    /// Lets waiting calls through, once both ends have opened.
    mutating func letThrough() {
      guard client != .idle, let accept else { return }
      // Where the server's task is cancelled, they wait for its shutdown.
      waiting.removeAll { call in
        if case .terminated = accept.yield(call) { false } else { true }
      }
    }

    /// Closes the client's end where its last call is over.
    ///
    /// - Returns: Who waits for that.
    mutating func takeIfDrained() -> CheckedContinuation<Void, Never>? {
      guard client == .draining, calls.isEmpty, let waiting = clientDrained.take() else {
        return nil
      }
      client = .closed
      return waiting
    }
  }

  private let state = Mutex(State())

  // MARK: Calls

  /// Sends a call on its way.
  func open(_ call: InProcessCall) throws(RPCError) {
    try state.withLock { state throws(RPCError) in
      switch (state.client, state.server) {
      case (.draining, _), (.closed, _):
        throw RPCError(code: .unavailable, message: "The client is shut down.")
      case (_, .draining), (_, .closed):
        throw RPCError(code: .unavailable, message: "The server is shut down.")
      case (.idle, _), (.open, _): break
      }
      state.calls[ObjectIdentifier(call)] = call
      state.waiting.append(call)
      state.letThrough()
    }
  }

  /// The client is done with a call.
  func close(_ call: InProcessCall) {
    let drained = state.withLock { state in
      state.calls[ObjectIdentifier(call)] = nil
      state.waiting.removeAll { $0 === call }
      return state.takeIfDrained()
    }
    drained?.resume()
  }

  // MARK: The client's end

  /// Keeps the client's end open until it is drained.
  func runClient() async throws {
    try state.withLock { state throws(RuntimeError) in
      switch state.client {
      case .idle: state.client = .open
      case .open, .draining:
        throw RuntimeError(code: .clientIsAlreadyRunning, message: "The client runs already.")
      case .closed:
        throw RuntimeError(code: .clientIsStopped, message: "The client is shut down.")
      }
      state.letThrough()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let drained = state.withLock { state in
          state.clientDrained = continuation
          return state.takeIfDrained()
        }
        drained?.resume()
      }
    } onCancel: {
      shutDownClient()
      endCalls(RPCError(code: .cancelled, message: "The client was stopped during the call."))
    }
  }

  func shutDownClient() {
    let (waiting, drained) = state.withLock { state in
      switch state.client {
      case .idle:
        state.client = .closed
        return (state.waiting, nil as CheckedContinuation<Void, Never>?)
      case .open:
        state.client = .draining
        return ([], state.takeIfDrained())
      case .draining, .closed: return ([], nil)
      }
    }
    drained?.resume()
    for call in waiting {
      call.end(RPCError(code: .unavailable, message: "The client was shut down before it ran."))
    }
  }

  // MARK: The server's end

  /// Opens the server's end.
  ///
  /// - Returns: The calls to serve, until the shutdown.
  func openServer() throws -> AsyncStream<InProcessCall> {
    try state.withLock { state throws(RuntimeError) in
      switch state.server {
      case .idle: break
      case .open, .draining:
        throw RuntimeError(code: .serverIsAlreadyRunning, message: "The server runs already.")
      case .closed:
        throw RuntimeError(code: .serverIsStopped, message: "The server is shut down.")
      }
      let (calls, accept) = AsyncStream<InProcessCall>.makeStream()
      state.server = .open
      state.accept = accept
      state.letThrough()
      return calls
    }
  }

  func shutDownServer() {
    let (accept, waiting) = state.withLock { state in
      switch state.server {
      case .idle: state.server = .closed
      case .open: state.server = .draining
      case .draining, .closed: break
      }
      defer { (state.accept, state.waiting) = (nil, []) }
      return (state.accept, state.waiting)
    }
    accept?.finish()
    for call in waiting {
      call.end(RPCError(code: .unavailable, message: "The server is shut down."))
    }
  }

  /// The last call is served.
  func closeServer() {
    shutDownServer()
    state.withLock { $0.server = .closed }
  }

  private func endCalls(_ error: RPCError) {
    for call in state.withLock({ Array($0.calls.values) }) { call.end(error) }
  }
}
