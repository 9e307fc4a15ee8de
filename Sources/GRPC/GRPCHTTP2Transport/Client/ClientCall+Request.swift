import GRPCCore

/// What a call sends.
extension ClientCall {
  /// Checks that a request message is not too large.
  final func check(_ message: [UInt8]) throws(RPCError) {
    let limit = options.maxRequestMessageBytes ?? channel.configuration.maxRequestMessageBytes
    guard let limit, message.count > limit else { return }
    throw RPCError(
      code: .resourceExhausted,
      message: "The request message has \(message.count) bytes, and the limit is \(limit).")
  }

  /// Queues a request message. Only on the loop.
  ///
  /// - Throws: `RPCError` with code `resourceExhausted` if the message is larger than it may be.
  final func queue(_ message: [UInt8], compression: CompressionAlgorithm? = nil) throws(RPCError) {
    try check(message)
    if encoding != .none, compression != CompressionAlgorithm.none,
      let compressed = MessageCodecs.of(channel.loop).compressor(for: encoding)?.compress(message)
    {
      outbound.append(compressed, isCompressed: true)
    } else {
      outbound.append(message)
    }
  }
}
