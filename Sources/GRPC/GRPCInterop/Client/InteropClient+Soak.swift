import GRPCCore

extension InteropClient {
  /// Makes many calls on one channel.
  func rpcSoak(on channel: InteropChannel<Transport>) async throws {
    try await iterate { try await call(on: channel) }
  }

  /// Makes many calls, each on a channel of its own.
  func channelSoak() async throws {
    try await iterate {
      try await withChannel { try await call(on: InteropChannel(client: $0)) }
    }
  }

  private func call(on channel: InteropChannel<Transport>) async throws {
    try await channel.largeUnary(requestSize: soak.requestSize, responseSize: soak.responseSize)
  }

  private func iterate(_ call: () async throws -> Void) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    var failures: [String] = []
    var done = 0
    while done < soak.iterations, clock.now - start < soak.overallTimeout {
      let began = clock.now
      do {
        try await call()
        let latency = clock.now - began
        if latency > soak.maxLatency { failures.append("call \(done) took \(latency)") }
      } catch {
        failures.append("call \(done): \(error)")
      }
      done += 1
      try await clock.sleep(until: began + soak.minTimeBetweenCalls)
    }
    try check(
      failures.count <= soak.maxFailures,
      "\(failures.count) calls failed: \(failures.prefix(5).joined(separator: "; "))")
    try check(
      done == soak.iterations,
      "Only \(done) of \(soak.iterations) calls were made in \(soak.overallTimeout).")
  }
}
