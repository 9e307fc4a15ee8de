import Foundation
import GRPCCore
import GRPCHTTP2Transport
import KartAPI
import Testing

@testable import Gateway

@Suite struct UpstreamConfigTests {
  @Test func theDefaultsCanBeUsedAndWritten() throws {
    for config in [
      try ServiceConfig.schedule, try ServiceConfig.trackers, try ServiceConfig.telemetry,
    ] {
      _ = try LoadBalancingPolicyRegistry.defaults.policy(for: config.loadBalancingConfig)
      let json = try JSONEncoder().encode(config)
      #expect(try JSONDecoder().decode(ServiceConfig.self, from: json) == config)
    }
  }

  /// Only what changes nothing may be done twice; and recording, since a batch is known by its number.
  @Test func onlyReadsAreMadeAgain() throws {
    let config = try ServiceConfig.schedule
    for method in Swiftkart_Schedule_V1_RaceScheduleService.Method.descriptors {
      let isRead = method.method.hasPrefix("List") || method.method.hasPrefix("Get")
      let policy = config.methodConfig(for: method)?.executionPolicy
      #expect((policy != nil) == isRead, "\(method)")
    }
    let record = Swiftkart_Telemetry_V1_RaceTelemetryService.Method.Record.descriptor
    #expect(try ServiceConfig.telemetry.methodConfig(for: record)?.executionPolicy?.hedge != nil)
  }
}
