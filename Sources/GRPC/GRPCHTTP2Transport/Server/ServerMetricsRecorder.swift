import EventLoop
import GRPCCore

/// Measures the calls of a server's connections on one event loop, if it is to. Confined to the loop.
final class ServerMetricsRecorder: @unchecked Sendable {
  let loop: EventLoop
  private var methods: [String: MethodRecord] = [:]
  /// One call is often of the same method as the last.
  private var latest: (route: ServerRoute, record: MethodRecord)?

  /// What is known of a method's calls.
  final class MethodRecord {
    var metrics = ServerMethodMetrics()
  }

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Begins to measure a call; one whose method the server does not have by name counts among the others.
  func begin(_ route: ServerRoute?) -> ServerCallMeasure {
    let record = record(of: route)
    record.metrics.callsStarted += 1
    return ServerCallMeasure(record)
  }

  private func record(of route: ServerRoute?) -> MethodRecord {
    // Names that clients choose would be without number.
    guard let route, route.isListed else { return record(named: "other") }
    if let latest, latest.route === route { return latest.record }
    let record = record(named: route.descriptor.fullyQualifiedMethod)
    latest = (route, record)
    return record
  }

  private func record(named name: String) -> MethodRecord {
    let record = methods[name] ?? MethodRecord()
    methods[name] = record
    return record
  }

  var metrics: [String: ServerMethodMetrics] { methods.mapValues(\.metrics) }
}

/// Measures a call.
///
/// See gRPC's proposal A66.
final class ServerCallMeasure {
  private let record: ServerMetricsRecorder.MethodRecord
  private let start = ContinuousClock.now
  /// The status that the call was given; nil if its client has given it up before.
  var code: Status.Code?

  init(_ record: ServerMetricsRecorder.MethodRecord) {
    self.record = record
  }

  func end(sent: Int, received: Int) {
    record.metrics.calls[code ?? .cancelled, default: CallMetrics()].record(
      start.duration(to: .now), sent: sent, received: received)
  }
}

extension HTTP2ServerTransport {
  /// What the server's calls have come to, by their method as `SERVICE/METHOD`, those of methods that it does not have
  /// by name as `other`; empty unless its configuration has calls measured. To be asked while its event loops run.
  public var metrics: [String: ServerMethodMetrics] {
    get async {
      var all: [String: ServerMethodMetrics] = [:]
      for recorder in recorders {
        let metrics = await withCheckedContinuation { continuation in
          recorder.loop.execute { continuation.resume(returning: recorder.metrics) }
        }
        for (name, metrics) in metrics { all[name, default: ServerMethodMetrics()].add(metrics) }
      }
      return all
    }
  }
}
