import CNghttp2

/// nghttp2's callbacks and options, made once for all sessions.
///
/// `@unchecked Sendable` holds because the two C objects are not changed after they are made, and
/// a new session only copies from them. A callback's `userData` is its ``HTTP2Session``, which
/// waits for nghttp2 to return and so is alive; a stream's pointer is good for as long as the
/// session lists it, which is until nghttp2 says that it is closed.
final class HTTP2Callbacks: @unchecked Sendable {
  static let shared = HTTP2Callbacks()

  private(set) var callbacks: OpaquePointer?
  private(set) var options: OpaquePointer?

  private init() {
    nghttp2_option_new(&options)
    // Windows are given back as data is consumed, not as it arrives.
    nghttp2_option_set_no_auto_window_update(options, 1)
    // Frames that come late, on a stream that is closed, are then ignored.
    nghttp2_option_set_no_closed_streams(options, 1)
    // Resets are counted by the server, which answers a flood of them with the right code.
    nghttp2_option_set_stream_reset_rate_limit(options, .max, .max)
    // A field with white space around its value would cost the whole call; it is trimmed instead.
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1)

    nghttp2_session_callbacks_new(&callbacks)
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, Self.beginHeaders)
    nghttp2_session_callbacks_set_on_header_callback(callbacks, Self.header)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Self.frame)
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, Self.invalidFrame)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Self.data)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Self.streamClose)
    nghttp2_session_callbacks_set_send_data_callback(callbacks, Self.sendOutbound)
  }

  /// Lends the session behind a callback's `userData`.
  private static func with<Result>(
    _ userData: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Result
  ) -> Result? {
    guard let userData else { return nil }
    return Unmanaged<HTTP2Session>.fromOpaque(userData)._withUnsafeGuaranteedRef(body)
  }

  private static let beginHeaders: nghttp2_on_begin_headers_callback = { _, frame, userData in
    with(userData) { session in
      guard let frame else { return }
      session.headersDidBegin(frame.pointee.hd.stream_id, frame.pointee.headers.cat)
    }
    return 0
  }

  private static let header: nghttp2_on_header_callback = {
    _, _, name, nameSize, value, valueSize, _, userData in
    with(userData) { session in
      session.headerStream?._withUnsafeGuaranteedRef { stream in
        stream.didReceiveHeader(
          name: UnsafeBufferPointer(start: name, count: nameSize),
          value: trimmed(UnsafeBufferPointer(start: value, count: valueSize)))
      }
    }
    return 0
  }

  /// Leaves out the white space around a field's value.
  private static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var rest = value[...]
    while let first = rest.first, isWhiteSpace(first) { rest.removeFirst() }
    while let last = rest.last, isWhiteSpace(last) { rest.removeLast() }
    return UnsafeBufferPointer(rebasing: rest)
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static let frame: nghttp2_on_frame_recv_callback = { _, frame, userData in
    with(userData) { session in
      guard let frame else { return }
      session.didReceive(frame)
    }
    return 0
  }

  private static let invalidFrame: nghttp2_on_invalid_frame_recv_callback = { _, _, _, userData in
    with(userData) { $0.delegate?.sessionDidRejectFrame() }
    return 0
  }

  private static let data: nghttp2_on_data_chunk_recv_callback = {
    _, _, id, bytes, size, userData in
    with(userData) { session in
      session.didReceiveData(UnsafeRawBufferPointer(start: bytes, count: size), on: id)
    }
    return 0
  }

  private static let streamClose: nghttp2_on_stream_close_callback = {
    _, id, code, userData in
    with(userData) { session in
      session.didCloseStream(id, HTTP2ErrorCode(rawValue: code))
    }
    return 0
  }

  /// Says how much of a stream's `outbound` goes into the next DATA frame.
  static let readOutbound: nghttp2_data_source_read_callback = {
    _, _, _, limit, flags, source, _ in
    guard let pointer = source?.pointee.ptr, let flags else { return 0 }
    return Unmanaged<HTTP2Stream>.fromOpaque(pointer)._withUnsafeGuaranteedRef { stream in
      let available = stream.outbound.byteCount
      if available == 0, stream.outboundEnd == .open {
        stream.isDeferred = true
        return Int(NGHTTP2_ERR_DEFERRED.rawValue)
      }
      flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
      if available <= limit, stream.outboundEnd != .open {
        flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        if stream.outboundEnd == .withTrailers {
          flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
          stream.submitTrailers()
        }
      }
      return min(available, limit)
    }
  }

  /// Writes a DATA frame: nghttp2's header, and the bytes that `readOutbound` promised.
  private static let sendOutbound: nghttp2_send_data_callback = {
    _, _, header, size, source, userData in
    with(userData) { session in
      guard let header, let pointer = source?.pointee.ptr else { return 0 }
      return session.writeData(header: header, size, Unmanaged.fromOpaque(pointer))
    } ?? 0
  }
}
