import GRPCCore

/// The service's methods, and how both sides of a call take their messages.
enum Echo {
  static let unary = method("Unary", .unary)
  /// The same under the name that a gateway passes calls of the schedule on to.
  static let scheduleUnary = MethodDescriptor(
    fullyQualifiedService: "swiftkart.schedule.v1.RaceScheduleService", method: "ListUpcomingRaces",
    type: .unary)
  /// The last message is sent back.
  static let clientStream = method("ClientStream", .clientStreaming)
  /// The message is sent back as often as its first four bytes, the most significant first, say.
  static let serverStream = method("ServerStream", .serverStreaming)
  static let bidirectional = method("Bidirectional", .bidirectionalStreaming)
  /// Answers with the number of heap allocations that the thread has made, in decimal digits.
  static let allocations = method("Allocations", .unary)

  static let coder = BytesCoder()

  /// A message of `size` bytes which asks a server stream for `count` others.
  static func message(size: Int, count: Int = 0) -> [UInt8] {
    (0..<size).map { index in
      index < 4 ? UInt8(truncatingIfNeeded: count >> (24 - 8 * index)) : UInt8(ascii: "x")
    }
  }

  /// How many messages a request asks a server stream for.
  static func count(in message: [UInt8]) -> Int {
    message.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func method(
    _ name: String, _ type: MethodDescriptor.RPCType
  ) -> MethodDescriptor {
    MethodDescriptor(fullyQualifiedService: "bench.Echo", method: name, type: type)
  }
}
