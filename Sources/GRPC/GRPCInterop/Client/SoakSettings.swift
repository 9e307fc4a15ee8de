/// How the cases go that make many calls.
package struct SoakSettings: Sendable {
  /// How many calls to make.
  package var iterations = 10
  /// How many of them may fail, or take too long.
  package var maxFailures = 0
  /// How long a call may take.
  package var maxLatency = Duration.seconds(1)
  /// How long to wait at least between the beginnings of two calls.
  package var minTimeBetweenCalls = Duration.zero
  /// How long all of it may take.
  package var overallTimeout = Duration.seconds(10)
  /// How large a request's payload is, in bytes.
  package var requestSize = 271_828
  /// How large a response's payload is, in bytes.
  package var responseSize = 314_159

  /// The settings of the descriptions.
  package init() {}
}
