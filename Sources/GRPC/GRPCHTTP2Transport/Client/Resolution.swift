import GRPCCore

/// Keeps a channel supplied with endpoints, for as long as its task is not cancelled.
struct Resolution: Sendable {
  let channel: Channel
  /// Comes when the present endpoints have turned out bad.
  let requests: AsyncStream<Void>
  let makeResolver: @Sendable () -> NameResolver?

  func run() async {
    var requests = requests.makeAsyncIterator()
    var random = SystemRandomNumberGenerator()
    var failures = 0
    var hasResult = false
    while !Task.isCancelled, let resolver = makeResolver() {
      let start = ContinuousClock.now
      channel.tell {
        $0.authority = $0.configuration.authority ?? resolver.authority ?? "localhost"
      }
      do {
        var results = resolver.names.makeAsyncIterator()
        while let result = try await results.next() {
          // Without one that could be used before, nobody knows how calls are to be made (A21).
          if !hasResult { try requireUsable(result.serviceConfig) }
          hasResult = true
          channel.tell { $0.didResolve(result) }
          guard resolver.updateMode == .pull else { continue }
          // Where there is nothing to connect to, nobody asks for other endpoints.
          if result.endpoints.isEmpty { throw result.failure ?? Self.noResult }
          failures = 0
          let earliest = ContinuousClock.now + channel.configuration.minimumResolutionInterval
          _ = await requests.next()
          try await Task.sleep(until: earliest, clock: .continuous)
        }
        guard hasResult else { throw Self.noResult }
        // The last result is final.
        while await requests.next() != nil {}
      } catch {
        failures += 1
        channel.tell { $0.didFailToResolve(error) }
        let wait = channel.configuration.backoff.wait(afterFailures: failures, using: &random)
        try? await Task.sleep(until: start + wait, clock: .continuous)
      }
    }
  }

  private func requireUsable(_ config: Result<ServiceConfig, RPCError>?) throws {
    guard let policies = try config?.get().loadBalancingConfig, !policies.isEmpty else { return }
    _ = try channel.configuration.loadBalancingPolicies.policy(for: policies)
  }

  private static let noResult = RPCError(
    code: .unavailable, message: "The resolver has found nothing.")
}
