import EventLoop
import GRPCCore

/// An event loop's compressors and decompressors, made when they are first needed.
///
/// `@unchecked Sendable` holds because it is used on its loop alone.
final class MessageCodecs: @unchecked Sendable {
  private var compressors: [CompressionAlgorithm: MessageCompressor] = [:]
  private var decompressors: [CompressionAlgorithm: MessageDecompressor] = [:]

  /// The loop's codecs. Only on the loop.
  static func of(_ loop: EventLoop) -> MessageCodecs {
    loop.attachment(MessageCodecs.self) { MessageCodecs() }
  }

  /// Compresses for an algorithm; nil for ``CompressionAlgorithm/none``.
  func compressor(for algorithm: CompressionAlgorithm) -> MessageCompressor? {
    guard algorithm != .none else { return nil }
    if let compressor = compressors[algorithm] { return compressor }
    let compressor = MessageCompressor(algorithm)
    compressors[algorithm] = compressor
    return compressor
  }

  /// Decompresses for an algorithm; nil for ``CompressionAlgorithm/none``.
  func decompressor(for algorithm: CompressionAlgorithm) -> MessageDecompressor? {
    guard algorithm != .none else { return nil }
    if let decompressor = decompressors[algorithm] { return decompressor }
    let decompressor = MessageDecompressor(algorithm)
    decompressors[algorithm] = decompressor
    return decompressor
  }
}
