/// The time as the gateway sees it, so that a test can choose it.
package struct GatewayClock: Sendable {
  /// Now.
  package var now: @Sendable () -> ContinuousClock.Instant
  /// Waits, or throws `CancellationError`.
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's own time.
  package static let system = GatewayClock(
    now: { .now }, sleep: { try await Task.sleep(for: $0) })
}
