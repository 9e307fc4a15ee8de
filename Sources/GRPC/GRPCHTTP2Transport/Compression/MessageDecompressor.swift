import CZlib
import GRPCCore

/// Decompresses messages, each by itself.
///
/// All calls of an event loop share one.
///
/// `@unchecked Sendable` holds because it is used on its loop alone.
final class MessageDecompressor: @unchecked Sendable {
  /// Why a message could not be decompressed.
  enum Failure: Error, Hashable, Sendable {
    /// The bytes are not in the algorithm's format, or end too early or too late.
    case malformed
    /// The message has more bytes than it may.
    case tooLarge(limit: Int)
  }

  /// How much is decompressed at a time.
  private static let step = 64 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>
  private let isUsable: Bool

  /// Makes a decompressor.
  ///
  /// - Parameter algorithm: Any but ``CompressionAlgorithm/none``.
  init(_ algorithm: CompressionAlgorithm) {
    // zlib's state points back at the stream, which therefore must not move.
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(capacity: Self.step)
    isUsable = zlib_inflate_init(stream, algorithm.windowBits) == Z_OK
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
    output.deallocate()
  }

  /// Decompresses a message.
  ///
  /// What is decompressed is never more than a step beyond the limit, whatever the compressed
  /// message would become.
  ///
  /// - Parameters:
  ///   - compressed: The compressed message.
  ///   - limit: How many bytes the message may have.
  func decompress(_ compressed: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard isUsable, inflateReset(stream) == Z_OK, let size = UInt32(exactly: compressed.count)
    else { throw .malformed }
    var message: [UInt8] = []
    let failure = compressed.withUnsafeBufferPointer { input -> Failure? in
      // zlib only reads here.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = size
      while true {
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let result = inflate(stream, Z_NO_FLUSH)
        let count = output.count - Int(stream.pointee.avail_out)
        guard message.count + count <= limit else { return .tooLarge(limit: limit) }
        message.append(contentsOf: output[..<count])
        switch result {
        case Z_STREAM_END: return stream.pointee.avail_in == 0 ? nil : .malformed
        // Without any progress the input has ended too early.
        case Z_OK where count > 0 || stream.pointee.avail_in > 0: continue
        default: return .malformed
        }
      }
    }
    if let failure { throw failure }
    return message
  }
}
