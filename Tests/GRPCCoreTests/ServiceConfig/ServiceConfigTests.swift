import Foundation
import GRPCCore
import Testing

@Suite struct ServiceConfigTests {
  private func decode(_ json: String) throws -> ServiceConfig {
    try JSONDecoder().decode(ServiceConfig.self, from: Data(json.utf8))
  }

  private let full = """
    {
      "loadBalancingConfig": [{"made_up": {"a": [1, "x", null, true]}}, {"round_robin": {}}],
      "methodConfig": [
        {
          "name": [{"service": "kart.Schedule", "method": "List"}, {"service": "kart.Clock"}],
          "waitForReady": true, "timeout": "1.000000001s", "maxRequestMessageBytes": 1024,
          "maxResponseMessageBytes": "2048",
          "retryPolicy": {
            "maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
            "retryableStatusCodes": ["UNAVAILABLE", 10, "resource_exhausted"]
          }
        },
        {
          "name": [{"service": "kart.Schedule"}],
          "hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "0.5s", "nonFatalStatusCodes": [14]}
        },
        {"name": [{}], "timeout": "60s"}
      ],
      "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1},
      "healthCheckConfig": {"serviceName": "kart.Schedule"},
      "somethingNew": {}
    }
    """

  @Test func readsEveryField() throws {
    let config = try decode(full)
    let retry = RetryPolicy(
      maxAttempts: 3, initialBackoff: .milliseconds(100), maxBackoff: .seconds(1),
      backoffMultiplier: 2, retryableStatusCodes: [.unavailable, .aborted, .resourceExhausted])
    let hedging = HedgingPolicy(
      maxAttempts: 2, hedgingDelay: .milliseconds(500), nonFatalStatusCodes: [.unavailable])
    #expect(
      config
        == ServiceConfig(
          methodConfig: [
            MethodConfig(
              names: [
                MethodConfig.Name(service: "kart.Schedule", method: "List"),
                MethodConfig.Name(service: "kart.Clock"),
              ], waitForReady: true, timeout: .seconds(1) + .nanoseconds(1),
              maxRequestMessageBytes: 1024, maxResponseMessageBytes: 2048,
              executionPolicy: .retry(retry)),
            MethodConfig(
              names: [MethodConfig.Name(service: "kart.Schedule")], executionPolicy: .hedge(hedging)
            ),
            MethodConfig(names: [MethodConfig.Name(service: "")], timeout: .seconds(60)),
          ],
          loadBalancingConfig: [
            ServiceConfig.LoadBalancingConfig(
              name: "made_up",
              configuration: .object([
                "a": .array([.number(1), .string("x"), .null, .bool(true)])
              ])), .roundRobin,
          ], retryThrottling: try ServiceConfig.RetryThrottling(maxTokens: 10, tokenRatio: 0.1),
          healthCheckServiceName: "kart.Schedule"))
  }

  @Test func writesWhatItReads() throws {
    let config = try decode(full)
    let json = String(decoding: try JSONEncoder().encode(config), as: UTF8.self)
    #expect(try decode(json) == config)
  }

  @Test func theNearestNameCounts() throws {
    let config = try decode(full)
    func timeout(_ service: String, _ method: String) -> Duration? {
      config.methodConfig(
        for: MethodDescriptor(fullyQualifiedService: service, method: method))?.timeout
    }
    #expect(timeout("kart.Schedule", "List") == .seconds(1) + .nanoseconds(1))
    #expect(timeout("kart.Schedule", "Get") == nil)
    #expect(timeout("kart.Clock", "Now") == .seconds(1) + .nanoseconds(1))
    #expect(timeout("other", "List") == .seconds(60))
  }

  @Test func theOlderNameOfAPolicyIsRead() throws {
    #expect(
      try decode(#"{"loadBalancingPolicy": "ROUND_ROBIN"}"#).loadBalancingConfig == [.roundRobin])
  }

  @Test(arguments: [
    #"{"methodConfig": [{"name": [{"method": "m"}]}]}"#,
    #"{"methodConfig": [{"name": [{"service": "s"}]}, {"name": [{"service": "s"}]}]}"#,
    #"{"methodConfig": [{"timeout": "1"}]}"#, #"{"methodConfig": [{"timeout": "1.0000000001s"}]}"#,
    #"{"methodConfig": [{"timeout": ".5s"}]}"#, #"{"methodConfig": [{"timeout": 5}]}"#,
    #"{"methodConfig": [{"maxRequestMessageBytes": -1}]}"#,
    #"{"methodConfig": [{"retryPolicy": {"maxAttempts": 1, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": [14]}}]}"#,
    #"{"methodConfig": [{"retryPolicy": {"maxAttempts": 2, "initialBackoff": "0s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": [14]}}]}"#,
    #"{"methodConfig": [{"retryPolicy": {"maxAttempts": 2, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 0, "retryableStatusCodes": [14]}}]}"#,
    #"{"methodConfig": [{"retryPolicy": {"maxAttempts": 2, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": []}}]}"#,
    #"{"methodConfig": [{"retryPolicy": {"maxAttempts": 2, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": ["NEVER"]}}]}"#,
    #"{"methodConfig": [{"hedgingPolicy": {"maxAttempts": 1}}]}"#,
    #"{"retryThrottling": {"maxTokens": 0, "tokenRatio": 1}}"#,
    #"{"retryThrottling": {"maxTokens": 1001, "tokenRatio": 1}}"#,
    #"{"retryThrottling": {"maxTokens": 10, "tokenRatio": 0}}"#,
    #"{"loadBalancingConfig": [{"a": {}, "b": {}}]}"#, #"{"loadBalancingConfig": [{}]}"#,
  ])
  func whatIsWrongIsRefused(json: String) {
    #expect(throws: (any Error).self) { try decode(json) }
  }

  @Test func aThrottleCountsTokens() throws {
    let throttle = RetryThrottle(
      try ServiceConfig.RetryThrottling(maxTokens: 4, tokenRatio: 0.25))
    #expect(throttle.isRetryPermitted && throttle.tokens == 4)
    #expect(throttle.recordFailure())
    #expect(!throttle.recordFailure())
    #expect(!throttle.isRetryPermitted)
    throttle.recordSuccess()
    #expect(throttle.isRetryPermitted && throttle.tokens == 2.25)
    for _ in 0..<100 { throttle.recordSuccess() }
    #expect(throttle.tokens == 4)
    for _ in 0..<100 { throttle.recordFailure() }
    #expect(throttle.tokens == 0)
  }

  @Test(arguments: [4.5, 9.2e15, 1e300, .greatestFiniteMagnitude])
  func aSuccessGivesBackNoMoreThanAllTokens(ratio: Double) throws {
    let throttle = RetryThrottle(
      try ServiceConfig.RetryThrottling(maxTokens: 4, tokenRatio: ratio))
    throttle.recordSuccess()
    throttle.recordFailure()
    throttle.recordSuccess()
    #expect(throttle.tokens == 4)
  }
}
