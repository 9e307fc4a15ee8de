import GRPCCore

extension Grpc_Testing_Payload {
  /// So many zeros.
  static func zeros(_ count: Int) -> Self {
    .with { $0.body = [UInt8](repeating: 0, count: count) }
  }

  /// So many zeros, as a client asked for.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT for a number that is negative, or absurdly large.
  static func zeros(asked count: Int32) throws(RPCError) -> Self {
    guard (0...(64 << 20)).contains(count) else {
      throw RPCError(
        code: .invalidArgument, message: "A response can't have \(count) bytes of payload.")
    }
    return zeros(Int(count))
  }
}

/// The metadata that a server sends back.
enum EchoMetadata {
  static let initial = "x-grpc-test-echo-initial"
  static let trailing = "x-grpc-test-echo-trailing-bin"

  /// What of a request's metadata goes into its response's initial metadata.
  static func initial(of metadata: Metadata) -> Metadata {
    metadata[stringValues: initial].reduce(into: [:]) { $0.addString($1, forKey: initial) }
  }

  /// What of a request's metadata goes into its response's trailing metadata.
  static func trailing(of metadata: Metadata) -> Metadata {
    metadata[binaryValues: trailing].reduce(into: [:]) { $0.addBinary($1, forKey: trailing) }
  }
}
