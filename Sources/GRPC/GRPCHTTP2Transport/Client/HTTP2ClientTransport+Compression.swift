import GRPCCore

extension HTTP2ClientTransport.Configuration {
  /// How a client compresses messages.
  public struct Compression: Hashable, Sendable {
    /// How the messages of requests are compressed, of calls whose options do not say.
    public var algorithm: CompressionAlgorithm
    /// How the messages of responses may be compressed. ``GRPCCore/CompressionAlgorithm/none`` is
    /// always among them.
    public var enabledAlgorithms: CompressionAlgorithmSet

    /// Makes a way to compress.
    ///
    /// - Parameters:
    ///   - algorithm: How the messages of requests are compressed.
    ///   - enabledAlgorithms: How the messages of responses may be compressed.
    public init(
      algorithm: CompressionAlgorithm = .none, enabledAlgorithms: CompressionAlgorithmSet = .all
    ) {
      self.algorithm = algorithm
      self.enabledAlgorithms = enabledAlgorithms
    }

    /// Takes responses however they are compressed, and compresses no request by itself.
    public static var defaults: Self { Self() }

    /// Neither takes compressed responses nor compresses requests by itself.
    public static var none: Self { Self(enabledAlgorithms: .none) }
  }
}
