import GRPCCore

extension Channel {
  /// Does something on the loop: now if on it, else soon. From any thread.
  func tell(_ block: @escaping @Sendable (Channel) -> Void) {
    if loop.inEventLoop {
      block(self)
    } else {
      loop.execute { block(self) }
    }
  }

  /// Makes a new channel run. From any thread.
  ///
  /// - Throws: `RuntimeError` if it is not new.
  func run() async throws {
    let former = await withUnsafeContinuation { continuation in
      tell { channel in
        continuation.resume(returning: channel.phase)
        guard channel.phase == .new else { return }
        channel.phase = .running
        channel.isWanted = true
        channel.watchIdleness()
      }
    }
    switch former {
    case .new: return
    case .running:
      throw RuntimeError(code: .clientIsAlreadyRunning, message: "The channel runs already.")
    case .draining, .stopped:
      throw RuntimeError(code: .clientIsStopped, message: "The channel has been shut down.")
    }
  }

  /// Returns once the channel has stopped. From any thread.
  func stopped() async {
    await withUnsafeContinuation { continuation in
      tell { channel in
        if channel.phase == .stopped {
          continuation.resume()
        } else {
          channel.onStop.append { continuation.resume() }
        }
      }
    }
  }

  /// Takes no more calls, and stops when those it has are over. They may still be made again.
  ///
  /// Nothing else is waited for: calls that still have no connection fail unless one is being made.
  func shutDown() {
    switch phase {
    case .new:
      stop()
    case .running where endpoints == nil || activity != .active:
      stop()
    case .running:
      phase = .draining
      balance()
    case .draining, .stopped:
      break
    }
  }

  /// Stops at once; calls fail.
  func stop() {
    guard phase != .stopped else { return }
    phase = .stopped
    stopWaking()
    idleTimer?.cancel()
    drainTimer?.cancel()
    picker = FixedPicker(.fail(.stopped))
    connectivity.publish(.shutdown)
    failResting(.stopped)
    pickForWaiting()
    for subchannel in allSubchannels { subchannel.close() }
    endpoints = nil
    retired = []
    let blocks = onStop
    onStop = []
    for block in blocks { block() }
    tellActivity()
  }

  /// Goes on with a shutdown once the last call has ended.
  func stopIfDrained() {
    guard phase == .draining, !isBalancing, !hasCalls else { return }
    for subchannel in allSubchannels { subchannel.shutDown() }
    if allSubchannels.allSatisfy(\.isClosed) { return stop() }
    // What is left to write of calls that were given up has no room where the peer does not read.
    guard drainTimer == nil else { return }
    drainTimer = loop.schedule(after: SocketChannel.lingerTime) { [self] in stop() }
  }

  private var allSubchannels: [Subchannel] {
    (endpoints ?? []).flatMap(\.subchannels) + retired
  }
}
