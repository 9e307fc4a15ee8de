import GRPCCore

/// The two small messages of `grpc.health.v1.Health/Watch`.
enum HealthCheckMessages {
  static let method = MethodDescriptor(
    fullyQualifiedService: "grpc.health.v1.Health", method: "Watch", type: .serverStreaming)

  /// `HealthCheckRequest`, whose field 1 is the service.
  static func request(_ service: String) -> [UInt8] {
    let name = Array(service.utf8.prefix(0x3fff))
    guard !name.isEmpty else { return [] }
    let size =
      name.count < 0x80
      ? [UInt8(name.count)] : [UInt8(name.count & 0x7f | 0x80), UInt8(name.count >> 7)]
    return [0x0a] + size + name
  }

  /// `HealthCheckResponse`, whose field 1 is the status; 1 is SERVING.
  static func isServing(_ message: [UInt8]) -> Bool {
    // The last one counts. Nothing else is in the message, or it is not known here.
    message.count >= 2 && message[message.count - 2] == 0x08 && message[message.count - 1] == 1
  }
}
