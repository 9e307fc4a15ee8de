import GRPCCore
import KartAPI

/// How a gateway makes its calls to the services behind it, unless it is configured otherwise.
extension ServiceConfig {
  private typealias Schedule = Swiftkart_Schedule_V1_RaceScheduleService
  private typealias Telemetry = Swiftkart_Telemetry_V1_RaceTelemetryService
  private typealias Events = Swiftkart_Relay_V1_RaceEventService

  /// Calls to the schedule services: in turn to those that are well. What spectators look at first is asked of
  /// another replica when one is slow.
  package static var schedule: ServiceConfig {
    get throws {
      ServiceConfig(
        methodConfig: [
          MethodConfig(
            names: [Schedule.Method.ListUpcomingRaces.descriptor.configName],
            executionPolicy: .hedge(
              HedgingPolicy(
                maxAttempts: 3, hedgingDelay: .milliseconds(100),
                nonFatalStatusCodes: [.unavailable, .resourceExhausted, .internalError, .unknown]))
          ),
          MethodConfig(
            names: [
              Schedule.Method.GetRace.descriptor.configName,
              Schedule.Method.ListScheduledRaces.descriptor.configName,
            ], executionPolicy: .retry(reads)),
        ],
        loadBalancingConfig: [outlierDetection(among: 5, in: "1s", of: .roundRobin)],
        retryThrottling: try RetryThrottling(maxTokens: 500, tokenRatio: 1),
        healthCheckServiceName: Schedule.descriptor.fullyQualifiedService)
    }
  }

  /// Calls to the tracker services by those who follow races: those of a race to one that is well, for as long as
  /// it is. There are few of them, and none ends while all is well: two that fail within seconds are enough to leave
  /// a tracker alone.
  package static var trackers: ServiceConfig {
    get throws {
      ServiceConfig(
        loadBalancingConfig: [
          outlierDetection(
            among: 2, in: "3s", of: LoadBalancingConfig(name: "ring_hash_experimental"))
        ],
        retryThrottling: try RetryThrottling(maxTokens: 500, tokenRatio: 1),
        healthCheckServiceName: Events.descriptor.fullyQualifiedService)
    }
  }

  /// Calls to the tracker services by those who record races: in turn to those that take telemetry, which a
  /// tracker does while it still catches up with what was recorded before. One that is slow is outrun by another, since
  /// a batch is logged once however often it is sent.
  package static var telemetry: ServiceConfig {
    get throws {
      ServiceConfig(
        methodConfig: [
          MethodConfig(
            names: [Telemetry.Method.GetProgress.descriptor.configName],
            executionPolicy: .retry(reads)),
          MethodConfig(
            names: [Telemetry.Method.Record.descriptor.configName],
            executionPolicy: .hedge(
              HedgingPolicy(
                maxAttempts: 3, hedgingDelay: .milliseconds(500),
                nonFatalStatusCodes: [.unavailable, .internalError, .unknown]))),
        ],
        loadBalancingConfig: [outlierDetection(among: 2, in: "3s", of: .roundRobin)],
        retryThrottling: try RetryThrottling(maxTokens: 500, tokenRatio: 1),
        healthCheckServiceName: Telemetry.descriptor.fullyQualifiedService)
    }
  }

  /// For calls that change nothing.
  private static var reads: RetryPolicy {
    RetryPolicy(
      maxAttempts: 4, initialBackoff: .milliseconds(10), maxBackoff: .milliseconds(200),
      backoffMultiplier: 3, retryableStatusCodes: [.unavailable, .resourceExhausted])
  }

  /// Replicas that fail most of their calls, or are outrun by others, are left alone for some seconds, and longer when
  /// they do so again; unless there are no others.
  ///
  /// - Parameters:
  ///   - volume: How many calls of a replica say something of it.
  ///   - interval: The time in which they are made.
  ///   - child: Chooses among those that are well.
  private static func outlierDetection(
    among volume: Double, in interval: String, of child: LoadBalancingConfig
  ) -> LoadBalancingConfig {
    LoadBalancingConfig(
      name: "outlier_detection_experimental",
      configuration: .object([
        "interval": .string(interval), "baseEjectionTime": .string("3s"),
        "maxEjectionTime": .string("30s"), "maxEjectionPercent": .number(50),
        "useEjectedAsLastResort": .bool(true), "acceptRefusals": .bool(true),
        // Others need not have had calls: what they would do with them cannot be worse.
        "failurePercentageEjection": .object([
          "threshold": .number(60), "minimumHosts": .number(1), "requestVolume": .number(volume),
        ]),
        "childPolicy": .array([.object([child.name: child.configuration])]),
      ]))
  }
}

extension MethodDescriptor {
  fileprivate var configName: MethodConfig.Name {
    MethodConfig.Name(service: service.fullyQualifiedService, method: method)
  }
}
