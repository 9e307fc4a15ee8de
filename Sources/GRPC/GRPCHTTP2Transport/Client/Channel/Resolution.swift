import GRPCCore

/// Keeps a channel supplied with endpoints while it is in use, for as long as the task is not cancelled.
struct Resolution<C: Clock>: Sendable where C.Duration == Duration {
  let channel: Channel
  let clock: C
  let makeResolver: @Sendable () -> NameResolver?

  func run() async {
    var hasResult = false
    while await channel.becomes(idle: false), !Task.isCancelled {
      hasResult = await withTaskGroup(of: Bool.self) { [hasResult] group in
        group.addTask(executorPreference: channel.loop) { await resolve(hasResult) }
        _ = await channel.becomes(idle: true)
        group.cancelAll()
        return await group.next() ?? hasResult
      }
    }
  }

  /// Resolves until the task is cancelled.
  ///
  /// - Parameter hadResult: Whether there has been a result before.
  /// - Returns: Whether there has been one by now.
  private func resolve(_ hadResult: Bool) async -> Bool {
    // Come when the present endpoints have turned out bad.
    let (requestStream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    channel.tell { $0.requestResolution = { continuation.yield() } }
    var requests = requestStream.makeAsyncIterator()
    var random = SystemRandomNumberGenerator()
    var failures = 0
    var hasResult = false
    while !Task.isCancelled, let resolver = makeResolver() {
      let start = clock.now
      channel.tell {
        $0.authority = $0.configuration.authority ?? resolver.authority ?? "localhost"
      }
      do {
        var results = resolver.names.makeAsyncIterator()
        while let result = try await results.next() {
          // Without one that could be used before, nobody knows how calls are to be made (A21).
          if !hadResult, !hasResult { try requireUsable(result.serviceConfig) }
          hasResult = true
          channel.tell { $0.didResolve(result) }
          guard resolver.updateMode == .pull else { continue }
          // Where there is nothing to connect to, nobody asks for other endpoints.
          if result.endpoints.isEmpty { throw result.failure ?? Self.noResult }
          failures = 0
          let earliest = clock.now.advanced(by: channel.configuration.minimumResolutionInterval)
          _ = await requests.next()
          try await clock.sleep(until: earliest, tolerance: nil)
        }
        guard hasResult else { throw Self.noResult }
        // The last result is final.
        while await requests.next() != nil {}
      } catch {
        if Task.isCancelled { break }
        failures += 1
        channel.tell { $0.didFailToResolve(error) }
        let wait = channel.configuration.backoff.wait(afterFailures: failures, using: &random)
        if await !rest(until: start.advanced(by: wait)) { failures = 0 }
      }
    }
    return hadResult || hasResult
  }

  /// Waits for a backoff to end.
  ///
  /// - Returns: Whether it has ended by itself, and not because it was reset.
  private func rest(until end: C.Instant) async -> Bool {
    let rest = Task { [clock] in (try? await clock.sleep(until: end, tolerance: nil)) != nil }
    channel.tell { $0.resolverRest = rest }
    return await withTaskCancellationHandler {
      await rest.value
    } onCancel: {
      rest.cancel()
    }
  }

  private func requireUsable(_ config: Result<ServiceConfig, RPCError>?) throws {
    guard let policies = try config?.get().loadBalancingConfig, !policies.isEmpty else { return }
    _ = try channel.configuration.loadBalancingPolicies.policy(for: policies)
  }

  private static var noResult: RPCError {
    RPCError(code: .unavailable, message: "The resolver has found nothing.")
  }
}
