import Foundation
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct LoadBalancingPolicyRegistryTests {
  private func policy(_ json: String) throws -> any LoadBalancingPolicy {
    let configs = try JSONDecoder().decode(
      [ServiceConfig.LoadBalancingConfig].self, from: Data(json.utf8))
    return try LoadBalancingPolicyRegistry.defaults.policy(for: configs)
  }

  @Test(arguments: [
    (#"[{"pick_first": {"shuffleAddressList": true}}]"#, "pick_first"),
    (#"[{"made_up": {}}, {"round_robin": {}}, {"pick_first": {}}]"#, "round_robin"),
    (#"[{"least_request_experimental": {"choiceCount": 3}}]"#, "least_request"),
    (
      #"[{"ring_hash_experimental": {"minRingSize": "10", "requestHashHeader": "race"}}]"#,
      "ring_hash_experimental"
    ),
    (#"[{"weighted_round_robin": {"blackoutPeriod": "1s"}}]"#, "weighted_round_robin"),
    (
      #"[{"outlier_detection_experimental": {"interval": "1s", "successRateEjection": {"stdevFactor": 1}, "failurePercentageEjection": {}, "useEjectedAsLastResort": true, "acceptRefusals": true, "childPolicy": [{"ring_hash_experimental": {}}]}}]"#,
      "outlier_detection_experimental"
    ),
    (
      #"[{"random_subsetting_experimental": {"subsetSize": 2, "childPolicy": [{"round_robin": {}}]}}]"#,
      "random_subsetting_experimental"
    ),
    (
      #"[{"priority_experimental": {"childPolicy": [{"least_request": {}}]}}]"#,
      "priority_experimental"
    ),
  ])
  func policiesAreMadeOfTheirNames(json: String, name: String) throws {
    #expect(type(of: try policy(json)).name == name)
  }

  @Test(arguments: [
    (#"[]"#, "empty"), (#"[{"made_up": {}}]"#, "“made_up”"),
    (#"[{"pick_first": {"shuffleAddressList": 1}}]"#, "“shuffleAddressList”"),
    (#"[{"least_request": {"choiceCount": 1}}]"#, "“choiceCount”"),
    (#"[{"outlier_detection_experimental": {}}]"#, "“childPolicy”"),
    (
      #"[{"outlier_detection_experimental": {"interval": "x", "childPolicy": [{"round_robin": {}}]}}]"#,
      "“interval”"
    ),
    (
      #"[{"outlier_detection_experimental": {"maxEjectionPercent": 101, "childPolicy": [{"round_robin": {}}]}}]"#,
      "“maxEjectionPercent”"
    ),
    (#"[{"outlier_detection_experimental": {"childPolicy": [{"made_up": {}}]}}]"#, "“made_up”"),
    (
      #"[{"outlier_detection_experimental": {"acceptRefusals": 1, "childPolicy": [{"round_robin": {}}]}}]"#,
      "“acceptRefusals”"
    ),
    (
      #"[{"random_subsetting_experimental": {"childPolicy": [{"round_robin": {}}]}}]"#,
      "“subsetSize”"
    ),
  ])
  func whatIsWrongIsNamed(json: String, name: String) {
    let error = #expect(throws: RuntimeError.self) { try policy(json) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
  }

  @Test func aUsersPolicyIsFoundByItsName() throws {
    struct Mine: LoadBalancingPolicy {
      static let name = "mine"
      mutating func update(_ view: LoadBalancingView) -> LoadBalancingDecision {
        PickFirst.withoutAddresses
      }
    }
    var registry = LoadBalancingPolicyRegistry.defaults
    registry.register("mine") { _, _ in Mine() }
    #expect(try registry.policy(for: [ServiceConfig.LoadBalancingConfig(name: "mine")]) is Mine)
  }
}
