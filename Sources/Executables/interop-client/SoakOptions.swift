import GRPCInterop
import KartProcess

/// The options of the cases that make many calls.
struct SoakOptions: Sendable {
  private static let defaults = SoakSettings()

  let iterations = Option<Int>.integer(
    "soak_iterations", default: defaults.iterations, in: 1...(.max),
    help: "How many calls the soak cases make.")
  let maxFailures = Option<Int>.integer(
    "soak_max_failures", default: defaults.maxFailures, in: 0...(.max),
    help: "How many of them may fail or take too long.")
  let maxLatency = Option<Int>.integer(
    "soak_per_iteration_max_acceptable_latency_ms", default: 1000, in: 1...(.max),
    help: "How long a call may take, in milliseconds.")
  let minTime = Option<Int>.integer(
    "soak_min_time_ms_between_rpcs", default: 0, in: 0...(.max),
    help: "How long to wait at least between the beginnings of two calls, in milliseconds.")
  let overallTimeout = Option<Int>.integer(
    "soak_overall_timeout_seconds", default: 10, in: 1...(.max),
    help: "How long all calls together may take, in seconds.")
  let requestSize = Option<Int>.integer(
    "soak_request_size", default: defaults.requestSize, in: 0...Int(Int32.max),
    help: "How large a request's payload is, in bytes.")
  let responseSize = Option<Int>.integer(
    "soak_response_size", default: defaults.responseSize, in: 0...Int(Int32.max),
    help: "How large a response's payload is, in bytes.")

  var all: [any AnyOption] {
    [
      iterations, maxFailures, maxLatency, minTime, overallTimeout, requestSize, responseSize,
    ]
  }

  func settings(_ arguments: Arguments) throws(UsageError) -> SoakSettings {
    var settings = SoakSettings()
    settings.iterations = try arguments[iterations]
    settings.maxFailures = try arguments[maxFailures]
    settings.maxLatency = .milliseconds(try arguments[maxLatency])
    settings.minTimeBetweenCalls = .milliseconds(try arguments[minTime])
    settings.overallTimeout = .seconds(try arguments[overallTimeout])
    settings.requestSize = try arguments[requestSize]
    settings.responseSize = try arguments[responseSize]
    return settings
  }
}
