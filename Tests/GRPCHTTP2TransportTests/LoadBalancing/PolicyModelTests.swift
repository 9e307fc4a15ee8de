import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// Every policy against random pasts. A failure names its seed, with which it happens again.
@Suite struct PolicyModelTests {
  private static func policy(_ name: String, seed: UInt64) -> any LoadBalancingPolicy {
    let generator = SeededGenerator(seed: seed)
    var settings = OutlierDetection.Settings()
    settings.maxEjectionPercent = 50
    var rule = OutlierDetection.Settings.FailurePercentage()
    rule.minimumHosts = 1
    rule.requestVolume = 1
    rule.threshold = 30
    settings.failurePercentage = rule
    settings.successRate = OutlierDetection.Settings.SuccessRate()
    let judged = settings
    settings.usesEjectedAsLastResort = true
    settings.acceptsRefusals = true
    return switch name {
    case "pick_first": PickFirst()
    case "pick_first, shuffled": PickFirst(shufflingWith: generator)
    case "round_robin": RoundRobin(generator: generator)
    case "least_request": LeastRequest(choiceCount: 2, generator: generator)
    case "weighted_round_robin": WeightedRoundRobin(generator: generator)
    case "ring_hash": RingHash(header: "race", minRingSize: 64, generator: generator)
    case "outlier_detection": OutlierDetection(judged, generator: generator)
    case "outlier_detection over ring_hash":
      OutlierDetection(
        settings, child: RingHash(header: "race", minRingSize: 64, generator: generator),
        generator: generator)
    case "priority": PriorityFailover { RoundRobin(generator: generator) }
    case "priority over outlier_detection":
      PriorityFailover { OutlierDetection(judged, generator: generator) }
    default: RandomSubsetting(size: 2, child: RoundRobin(generator: generator), seed: seed)
    }
  }

  private static let names = [
    "pick_first", "pick_first, shuffled", "round_robin", "least_request", "weighted_round_robin",
    "ring_hash", "outlier_detection", "outlier_detection over ring_hash", "priority",
    "priority over outlier_detection", "random_subsetting",
  ]

  @Test(arguments: names, UInt64(0)..<20)
  func staysSound(name: String, seed: UInt64) {
    var model = PolicyModel(seed: seed) { Self.policy(name, seed: $0) }
    for _ in 0..<300 { model.step() }
    #expect(model.mistakes.isEmpty, "\(model.mistakes.prefix(3))")
    // Whatever has happened: once everything succeeds, so does every call.
    model.heal(200)
    #expect(model.mistakes.isEmpty, "\(model.mistakes.prefix(3))")
    #expect(model.decision.state == .ready)
    #expect(model.served(of: 100) == 100)
  }
}
