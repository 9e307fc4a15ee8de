import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct ConnectionBackoffTests {
  @Test(arguments: [(1, 1.0), (2, 1.6), (3, 2.56), (11, 109.951_162_777_6), (12, 120), (1000, 120)])
  func growsToItsMaximum(failures: Int, seconds: Double) {
    let backoff = ConnectionBackoff(jitter: 0)
    var random = SeededGenerator(seed: 1)
    let wait = backoff.wait(afterFailures: failures, using: &random)
    #expect(abs(wait / .seconds(1) - seconds) < 1e-6)
  }

  @Test func jitterStaysWithinItsBoundsAndUsesThem() {
    let backoff = ConnectionBackoff(initial: .seconds(10))
    var random = SeededGenerator(seed: 1)
    let waits = (0..<1000).map { _ in backoff.wait(afterFailures: 1, using: &random) / .seconds(1) }
    #expect(waits.allSatisfy { (8...12).contains($0) })
    #expect(waits.contains { $0 < 8.5 } && waits.contains { $0 > 11.5 })
  }

  @Test(arguments: [
    (2.0, 2.0), (1e30, 3), (.greatestFiniteMagnitude, 3), (.infinity, 3), (.nan, 3),
  ])
  func aProductIsLimited(factor: Double, seconds: Double) {
    let product = Duration.seconds(1).times(factor, atMost: .seconds(3))
    #expect(abs(product / .seconds(1) - seconds) < 1e-6)
    #expect(Duration.zero.times(factor, atMost: .zero) == .zero)
  }
}
