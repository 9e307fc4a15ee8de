import GRPCCore

/// What a call sends.
extension ClientCall {
  /// Checks that a request message of so many bytes is not too large.
  final func check(size: Int) throws(RPCError) {
    let limit = options.maxRequestMessageBytes ?? channel.configuration.maxRequestMessageBytes
    guard let limit, size > limit else { return }
    throw RPCError(
      code: .resourceExhausted,
      message: "The request message has \(size) bytes, and the limit is \(limit).")
  }

  /// Queues a request message, which is not too large. Only on the loop.
  final func queue(_ message: [UInt8], compression: CompressionAlgorithm? = nil) {
    if encoding != .none, compression != CompressionAlgorithm.none,
      let compressed = MessageCodecs.of(channel.loop).compressor(for: encoding)?.compress(message)
    {
      outbound.append(compressed, isCompressed: true)
    } else {
      outbound.append(message)
    }
  }

  /// Queues a request from its beginning, in the place of what is left of it. Only on the loop.
  final func queue(_ request: KeptRequest) {
    outbound.removeAll()
    request.forEach { queue($0.message, compression: $0.compression) }
  }
}
