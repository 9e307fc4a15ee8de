import CNghttp2

/// What nghttp2 reports, passed on to the streams and the delegate.
extension HTTP2Session {
  func headersDidBegin(_ id: Int32, _ category: nghttp2_headers_category) {
    if category == NGHTTP2_HCAT_REQUEST {
      guard let stream = delegate?.sessionWillOpenStream(id) else {
        headerStream = nil
        return reset(id, .refusedStream)
      }
      stream.id = id
      nghttp2_session_set_stream_user_data(
        raw, id, Unmanaged.passUnretained(stream).toOpaque())
      add(stream)
      headerStream = Unmanaged.passUnretained(stream)
      stream.headersDidBegin()
    } else {
      let stream = stream(id)
      headerStream = stream.map(Unmanaged.passUnretained)
      stream?.headersDidBegin()
    }
  }

  func didReceive(_ frame: UnsafePointer<nghttp2_frame>) {
    let header = frame.pointee.hd
    let endStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(header.type) {
    case NGHTTP2_DATA.rawValue:
      if endStream { stream(header.stream_id)?.didReceiveEnd() }
    case NGHTTP2_HEADERS.rawValue:
      let stream = headerStream?.takeUnretainedValue()
      headerStream = nil
      stream?.headersDidEnd(endStream: endStream)
    case NGHTTP2_SETTINGS.rawValue:
      if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 {
        delegate?.sessionDidReceiveSettings()
      }
    case NGHTTP2_PING.rawValue:
      let payload = withUnsafeBytes(of: frame.pointee.ping.opaque_data) {
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self))
      }
      let isAnswer = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
      if isAnswer, payload == WindowProbe.payload { return windowProbeDidEnd() }
      delegate?.sessionDidReceivePing(payload, isAnswer: isAnswer)
    case NGHTTP2_GOAWAY.rawValue:
      let goAway = frame.pointee.goaway
      delegate?.sessionDidReceiveGoAway(
        lastStreamID: goAway.last_stream_id, code: HTTP2ErrorCode(rawValue: goAway.error_code),
        debugData: UnsafeRawBufferPointer(
          start: goAway.opaque_data, count: goAway.opaque_data_len))
    default:
      break
    }
  }

  func didReceiveData(_ bytes: UnsafeRawBufferPointer, on id: Int32) {
    if windowProbe.didReceive(bytes.count, at: now) { submitPing(WindowProbe.payload) }
    unreportedConsumption += bytes.count
    if unreportedConsumption >= consumptionStep.connection {
      nghttp2_session_consume_connection(raw, unreportedConsumption)
      unreportedConsumption = 0
    }
    stream(id)?.didReceiveData(bytes)
  }

  func didCloseStream(_ id: Int32, _ code: HTTP2ErrorCode) {
    guard let stream = stream(id) else { return }
    remove(stream)
    stream.hasEndedInOrder = code == .noError
    stream.didClose(.ended(code))
    delegate?.sessionDidCloseStream(stream)
  }

  /// Writes a DATA frame.
  ///
  /// - Returns: 0, or nghttp2's error: that it is to ask again, since there is enough output already, or that it is to
  ///   reset the stream, which has not the bytes any more that it promised.
  func writeData(
    header: UnsafePointer<UInt8>, _ size: Int, _ stream: Unmanaged<HTTP2Stream>
  ) -> Int32 {
    guard let output, output.count < SocketBuffers.outputSize else {
      return NGHTTP2_ERR_WOULDBLOCK.rawValue
    }
    guard stream._withUnsafeGuaranteedRef({ $0.outbound.byteCount >= size }) else {
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    hasSentData = true
    sentData.frames += 1
    sentData.bytes += size
    let headerSize = 9
    let place = output.extend(by: headerSize + size)
    place.copyMemory(from: header, byteCount: headerSize)
    stream._withUnsafeGuaranteedRef { stream in
      stream.outbound.take(size, into: place + headerSize)
      stream.outboundDidShrink()
    }
    return 0
  }

  private func stream(_ id: Int32) -> HTTP2Stream? {
    if let dataStream, dataStream.id == id { return dataStream }
    guard let pointer = nghttp2_session_get_stream_user_data(raw, id) else { return nil }
    let stream = Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
    dataStream = stream
    return stream
  }
}
