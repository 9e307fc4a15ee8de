import GRPCCore

/// Measures a channel's calls, if it is to. Confined to the channel's loop.
final class ClientMetricsRecorder: @unchecked Sendable {
  private var methods: [MethodDescriptor: MethodRecord] = [:]
  /// One call is often of the same method as the last.
  private var latest: MethodRecord?

  /// What is known of a method's calls.
  final class MethodRecord {
    let method: MethodDescriptor
    var metrics = ClientMethodMetrics()

    init(_ method: MethodDescriptor) {
      self.method = method
    }
  }

  func record(of method: MethodDescriptor) -> MethodRecord {
    if let latest, latest.method == method { return latest }
    let record = methods[method] ?? MethodRecord(method)
    methods[method] = record
    latest = record
    return record
  }

  var metrics: [MethodDescriptor: ClientMethodMetrics] { methods.mapValues(\.metrics) }
}

extension HTTP2ClientTransport {
  /// What the channel's calls have come to, by their method; empty unless its configuration has calls measured.
  public var metrics: [MethodDescriptor: ClientMethodMetrics] {
    get async {
      await withUnsafeContinuation { continuation in
        channel.tell { continuation.resume(returning: $0.recorder?.metrics ?? [:]) }
      }
    }
  }
}
