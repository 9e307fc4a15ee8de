import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct CallRetryTests {
  private func policy(attempts: Int = 4) -> RetryPolicy {
    RetryPolicy(
      maxAttempts: attempts, initialBackoff: .seconds(1), maxBackoff: .seconds(3),
      backoffMultiplier: 2, retryableStatusCodes: [.unavailable, .aborted])
  }

  private func waits(
    _ attempts: Int, _ events: [(Status.Code, CallRetry.Pushback)], throttle: RetryThrottle? = nil
  ) -> [Int?] {
    var retry = CallRetry(policy(attempts: attempts))
    var random = SeededGenerator(seed: 1)
    return events.map { code, pushback in
      let wait = retry.wait(after: code, pushback, throttle: throttle, using: &random)
      // Jitter is at most a fifth.
      return wait.map { Int(($0 / .seconds(1)).rounded(.toNearestOrAwayFromZero)) }
    }
  }

  @Test func waitsGrowToTheMaximumAndAttemptsEnd() {
    let failure = (Status.Code.unavailable, CallRetry.Pushback.nothing)
    #expect(waits(2, [failure, failure]) == [1, nil])
    let five = waits(100, Array(repeating: failure, count: 6))
    #expect(five.map { $0 != nil } == [true, true, true, true, false, false])
    #expect(five[0] == 1 && five[1] == 2)
  }

  @Test func onlyTheCodesOfThePolicyAreRetried() {
    #expect(waits(3, [(.internalError, .nothing), (.aborted, .nothing)]) == [nil, 1])
    #expect(waits(3, [(.internalError, .after(.seconds(9)))]) == [nil])
  }

  @Test func theServerSaysWhen() {
    #expect(waits(5, [(.unavailable, .after(.seconds(9)))]) == [9])
    #expect(waits(5, [(.unavailable, .never)]) == [nil])
    // After its word the waits begin anew.
    let waits = waits(
      5, [(.unavailable, .nothing), (.unavailable, .after(.zero)), (.unavailable, .nothing)])
    #expect(waits == [1, 0, 1])
    #expect(CallRetry.Pushback(milliseconds: 5) == .after(.milliseconds(5)))
    #expect(CallRetry.Pushback(milliseconds: -1) == .never)
    #expect(CallRetry.Pushback(milliseconds: nil) == .never)
  }

  @Test func tooManyFailuresAreNotRetried() throws {
    let throttle = RetryThrottle(try ServiceConfig.RetryThrottling(maxTokens: 4, tokenRatio: 1))
    let failure = (Status.Code.unavailable, CallRetry.Pushback.nothing)
    #expect(waits(5, [failure, failure, failure], throttle: throttle) == [1, nil, nil])
    #expect(throttle.tokens == 1)
    // A failure of another kind costs nothing, a server that wants no retry does.
    _ = waits(5, [(.internalError, .nothing)], throttle: throttle)
    #expect(throttle.tokens == 1)
    _ = waits(5, [(.internalError, .never)], throttle: throttle)
    #expect(throttle.tokens == 0)
  }

  /// As a service's configuration may have them.
  @Test(arguments: [1e30, .greatestFiniteMagnitude])
  func noMultiplierIsTooLarge(multiplier: Double) {
    let longest = Duration.seconds(315_576_000_000)
    var retry = CallRetry(
      RetryPolicy(
        maxAttempts: 5, initialBackoff: longest / 2, maxBackoff: longest,
        backoffMultiplier: multiplier, retryableStatusCodes: [.unavailable]))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2 {
      let wait = retry.wait(after: .unavailable, .nothing, throttle: nil, using: &random)
      #expect(wait.map { $0 <= longest * 1.2 } == true)
    }
  }
}
