import GRPCCore

extension HTTP2ServerTransport.Configuration {
  /// How a server compresses messages.
  public struct Compression: Hashable, Sendable {
    /// How the messages of responses are compressed, for clients that know the algorithm. A handler
    /// may choose otherwise for its response, see ``GRPCCore/ServerResponse/Contents/compression``.
    public var algorithm: CompressionAlgorithm
    /// How the messages of requests may be compressed. A request that comes in another way fails
    /// with UNIMPLEMENTED, and is told of these. ``GRPCCore/CompressionAlgorithm/none`` is always
    /// among them.
    public var enabledAlgorithms: CompressionAlgorithmSet

    /// Makes a way to compress.
    ///
    /// - Parameters:
    ///   - algorithm: How the messages of responses are compressed.
    ///   - enabledAlgorithms: How the messages of requests may be compressed.
    public init(
      algorithm: CompressionAlgorithm = .none, enabledAlgorithms: CompressionAlgorithmSet = .all
    ) {
      self.algorithm = algorithm
      self.enabledAlgorithms = enabledAlgorithms
    }

    /// Takes requests however they are compressed, and compresses no response by itself.
    public static var defaults: Self { Self() }

    /// Neither takes compressed requests nor compresses responses by itself.
    public static var none: Self { Self(enabledAlgorithms: .none) }
  }
}
