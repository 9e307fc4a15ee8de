extension ClientCall {
  /// Whether the message that was received last was compressed.
  var latestIsCompressed: Bool { deframer.latestIsCompressed }

  /// Decompresses a message of the response if it was compressed.
  func content(
    of message: [UInt8], isCompressed: Bool
  ) throws(MessageDeframer.Failure) -> [UInt8] {
    try deframer.content(of: message, isCompressed: isCompressed)
  }

  /// Has the call decompress what an attempt of it receives.
  func adoptDecompressor(of attempt: ClientCall) {
    deframer.decompressor = attempt.deframer.decompressor
  }
}
