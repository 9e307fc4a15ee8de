import GRPCCore

extension RPCError {
  /// The longest wait that a server can ask for here.
  private static let longestPushback = Duration.seconds(60)

  /// How long the server wants to be left alone before the call is made again, as gRPC's retry design
  /// (A6) has it; nil where it does not say.
  var pushback: Duration? {
    for text in metadata[stringValues: "grpc-retry-pushback-ms"] {
      guard let milliseconds = Int64(text), milliseconds >= 0 else { continue }
      return min(.milliseconds(milliseconds), Self.longestPushback)
    }
    return nil
  }
}
