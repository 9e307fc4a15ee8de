import EventLoop

/// The buffers that all sockets of one loop read into and gather their output in.
///
/// An idle connection thus has no buffer at all. Their content lives for one callback.
final class SocketBuffers {
  static let inputSize = 64 << 10
  /// Output is written when this much is gathered, even if there is more.
  static let outputSize = 128 << 10

  let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
  /// A little larger than needed, because the last frame goes over the mark.
  let output = OutputBuffer(capacity: outputSize + (32 << 10))

  /// Made when a loop has its first socket with TLS.
  private(set) lazy var tls = TLS()

  deinit {
    input.deallocate()
  }

  /// The buffers of a loop. Only on the loop.
  static func of(_ loop: EventLoop) -> SocketBuffers {
    loop.attachment(SocketBuffers.self) { SocketBuffers() }
  }
}
