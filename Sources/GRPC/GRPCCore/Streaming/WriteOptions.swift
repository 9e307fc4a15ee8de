/// What a writer wants of one message.
public struct WriteOptions: Hashable, Sendable {
  /// How to compress the message: ``CompressionAlgorithm/none`` not at all; `nil` as the call's
  /// other messages.
  ///
  /// A call has one algorithm, chosen when it begins; here another one stands for that.
  public var compression: CompressionAlgorithm?

  /// Creates options.
  ///
  /// - Parameter compression: How to compress the message.
  @inlinable
  public init(compression: CompressionAlgorithm? = nil) {
    self.compression = compression
  }
}
