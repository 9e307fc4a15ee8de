/// What calls that ended with the same status have come to; on a client each of their attempts counts.
///
/// See gRPC's proposal A66.
public struct CallMetrics: Sendable, Hashable {
  /// How long they took, in seconds: `grpc.client.attempt.duration`, `grpc.server.call.duration`.
  public var durations = MetricHistogram.latencies
  /// How many bytes of messages each sent, as compressed: `….sent_total_compressed_message_size`.
  public var sentBytes = MetricHistogram.sizes
  /// How many bytes of messages each received, as compressed: `….rcvd_total_compressed_message_size`.
  public var receivedBytes = MetricHistogram.sizes

  /// Makes the metrics of no call.
  public init() {}

  /// Adds a call.
  ///
  /// - Parameters:
  ///   - duration: How long it took.
  ///   - sent: How many bytes of messages it sent.
  ///   - received: How many it received.
  public mutating func record(_ duration: Duration, sent: Int, received: Int) {
    durations.record(duration)
    sentBytes.record(Double(sent))
    receivedBytes.record(Double(received))
  }

  /// Adds other calls.
  ///
  /// - Parameter other: Their metrics.
  public mutating func add(_ other: Self) {
    durations.add(other.durations)
    sentBytes.add(other.sentBytes)
    receivedBytes.add(other.receivedBytes)
  }
}

/// What a client's calls of a method have come to.
///
/// See gRPC's proposals A66 and A96.
public struct ClientMethodMetrics: Sendable, Hashable {
  /// How many attempts have begun: `grpc.client.attempt.started`.
  public var attemptsStarted = 0
  /// The attempts that are over, by their status.
  public var attempts: [Status.Code: CallMetrics] = [:]
  /// How long calls took, in seconds, waits between their attempts included, by their status:
  /// `grpc.client.call.duration`.
  public var callDurations: [Status.Code: MetricHistogram] = [:]
  /// How often calls were made again of which one attempt failed, those that were not left out:
  /// `grpc.client.call.retries`.
  public var retries = MetricHistogram.numbers
  /// How often calls were made again since no server had acted on them: `grpc.client.call.transparent_retries`.
  public var transparentRetries = MetricHistogram.numbers
  /// How many further attempts were made beside others: `grpc.client.call.hedges`.
  public var hedges = MetricHistogram.numbers
  /// How long calls had no attempt on its way, in seconds, those that always had left out:
  /// `grpc.client.call.retry_delay`.
  public var retryDelays = MetricHistogram.latencies

  /// Makes the metrics of no call.
  public init() {}
}

/// What a server's calls of a method have come to.
///
/// See gRPC's proposal A66.
public struct ServerMethodMetrics: Sendable, Hashable {
  /// How many have begun: `grpc.server.call.started`.
  public var callsStarted = 0
  /// The calls that are over, by their status.
  public var calls: [Status.Code: CallMetrics] = [:]

  /// Makes the metrics of no call.
  public init() {}

  /// Adds other calls of the method.
  ///
  /// - Parameter other: Their metrics.
  public mutating func add(_ other: Self) {
    callsStarted += other.callsStarted
    for (code, metrics) in other.calls { calls[code, default: CallMetrics()].add(metrics) }
  }
}
