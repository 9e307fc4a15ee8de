import CNghttp2

extension HTTP2Session {
  /// Writes the limit of concurrent streams into the SETTINGS frame that is on its way out.
  ///
  /// nghttp2 answers a stream beyond the limit it knows of by closing the connection. It is
  /// therefore told of none, and the peer of the one that ``HTTP2SessionDelegate`` holds, so
  /// that a stream beyond it is refused and nothing else is disturbed.
  func patchSettings(_ output: OutputBuffer, from start: Int) {
    guard let limit = advertisedMaxConcurrentStreams else { return }
    let frame = UnsafeMutableRawBufferPointer(rebasing: output.bytes[start...])
    let headerSize = 9
    let entrySize = 6
    guard frame.count > headerSize, frame[3] == UInt8(NGHTTP2_SETTINGS.rawValue) else { return }
    for entry in stride(from: headerSize, through: frame.count - entrySize, by: entrySize) {
      let id = frame.loadUnaligned(fromByteOffset: entry, as: UInt16.self).bigEndian
      if id == UInt16(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue) {
        frame.storeBytes(of: limit.bigEndian, toByteOffset: entry + 2, as: UInt32.self)
        advertisedMaxConcurrentStreams = nil
      }
    }
  }
}
