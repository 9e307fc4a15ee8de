import CZlib
import GRPCCore

/// Compresses messages, each by itself.
///
/// zlib's state takes a quarter of a megabyte, so all calls of an event loop share one.
///
/// `@unchecked Sendable` holds because it is used on its loop alone.
final class MessageCompressor: @unchecked Sendable {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isUsable: Bool

  /// Makes a compressor.
  ///
  /// - Parameter algorithm: Any but ``CompressionAlgorithm/none``.
  init(_ algorithm: CompressionAlgorithm) {
    // zlib's state points back at the stream, which therefore must not move.
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isUsable = zlib_deflate_init(stream, Z_DEFAULT_COMPRESSION, algorithm.windowBits) == Z_OK
  }

  deinit {
    deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Compresses a message.
  ///
  /// - Returns: The compressed message; nil where that is no shorter than the message itself.
  func compress(_ message: [UInt8]) -> [UInt8]? {
    guard isUsable, deflateReset(stream) == Z_OK, let size = UInt32(exactly: message.count),
      size > 0
    else { return nil }
    var result = Z_OK
    let compressed = [UInt8](unsafeUninitializedCapacity: message.count) { output, count in
      message.withUnsafeBufferPointer { input in
        // zlib only reads here.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = size
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = size
        result = deflate(stream, Z_FINISH)
        count = message.count - Int(stream.pointee.avail_out)
      }
    }
    return result == Z_STREAM_END ? compressed : nil
  }
}

extension CompressionAlgorithm {
  /// The size of DEFLATE's window, by which zlib is told the format as well.
  var windowBits: Int32 { self == .gzip ? 15 + 16 : 15 }
}
