import CNghttp2

extension HTTP2Session {
  /// Opens a stream of ours.
  ///
  /// Beyond the peer's limit of concurrent streams, the request waits until another stream ends.
  ///
  /// - Parameters:
  ///   - stream: The stream, which gets its number. Its `outbound` follows the headers.
  ///   - headers: The request's header block.
  ///   - endStream: Whether the headers are all of it.
  /// - Throws: ``HTTP2SessionError`` if the connection opens no more streams.
  func submitRequest(
    _ stream: HTTP2Stream, _ headers: HeaderList, endStream: Bool
  ) throws(HTTP2SessionError) {
    var provider = dataProvider(stream)
    let pointer = Unmanaged.passUnretained(stream).toOpaque()
    let id = headers.withFields { fields, count in
      endStream
        ? nghttp2_submit_request(raw, nil, fields, count, nil, pointer)
        : nghttp2_submit_request(raw, nil, fields, count, &provider, pointer)
    }
    guard id > 0 else { throw HTTP2SessionError(Int(id)) }
    stream.id = id
    add(stream)
  }

  /// Whether the headers of a stream of ours, which is not closed, were taken to be sent. Before that nghttp2 has no
  /// stream of its number.
  func hasSentHeaders(of stream: HTTP2Stream) -> Bool {
    nghttp2_session_find_stream(raw, stream.id) != nil
  }

  /// Answers a request: the headers, then `outbound` until it ends.
  func submitResponse(_ stream: HTTP2Stream, _ headers: HeaderList) {
    hasSentData = true
    var provider = dataProvider(stream)
    // Fails only on a stream that is closed, of which the stream has been or will be told.
    _ = headers.withFields { fields, count in
      nghttp2_submit_response(raw, stream.id, fields, count, &provider)
    }
  }

  /// Answers a request with a header block alone (gRPC's Trailers-Only).
  func submitTrailersOnly(_ stream: HTTP2Stream, _ headers: HeaderList) {
    hasSentData = true
    _ = headers.withFields { fields, count in
      nghttp2_submit_response(raw, stream.id, fields, count, nil)
    }
  }

  /// Sends the header block that ends a stream; from ``HTTP2Stream/submitTrailers()``.
  func submitTrailers(_ stream: HTTP2Stream, _ headers: HeaderList) {
    _ = headers.withFields { fields, count in
      nghttp2_submit_trailer(raw, stream.id, fields, count)
    }
  }

  /// Has nghttp2 look at a stream's `outbound` again, after something was added or it was ended.
  func resume(_ stream: HTTP2Stream) {
    guard stream.isDeferred else { return }
    stream.isDeferred = false
    nghttp2_session_resume_data(raw, stream.id)
  }

  /// Resets a stream; it is told of its end when the frame is sent.
  func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    reset(stream.id, code)
  }

  /// Resets a stream after what is queued for it: nghttp2 drops header blocks of a stream from
  /// the moment that a reset is submitted.
  func resetLate(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    lateResets.append((stream.id, code))
  }

  /// Submits what had to wait; false if there is nothing.
  func submitLate() -> Bool {
    if let latePing {
      self.latePing = nil
      submitPing(latePing)
      return true
    }
    guard !lateResets.isEmpty else { return false }
    for (id, code) in lateResets { reset(id, code) }
    lateResets.removeAll(keepingCapacity: true)
    return true
  }

  func reset(_ id: Int32, _ code: HTTP2ErrorCode) {
    nghttp2_submit_rst_stream(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
  }

  /// Gives back a part of a stream's flow-control window: its data has been consumed.
  func consume(_ count: Int, on stream: HTTP2Stream) {
    stream.unreportedConsumption += count
    guard stream.unreportedConsumption >= consumptionStep.stream else { return }
    nghttp2_session_consume_stream(raw, stream.id, stream.unreportedConsumption)
    stream.unreportedConsumption = 0
  }

  /// Announces a GOAWAY: the peer should open no more streams, those it opens still count.
  func submitShutdownNotice() {
    nghttp2_submit_shutdown_notice(raw)
  }

  /// Says which of the peer's streams was the last: later ones are ignored, earlier ones go on.
  func submitGoAway(_ code: HTTP2ErrorCode, saying words: String = "") {
    var words = words
    words.withUTF8 { words in
      _ = nghttp2_submit_goaway(
        raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(raw),
        code.rawValue, words.baseAddress, words.count)
    }
  }

  /// Ends the session with a GOAWAY, after which it is finished whatever streams are open.
  ///
  /// While bytes are being taken in, it waits for the last of them: nghttp2 ignores what comes after
  /// its own end, but forgets to behind the frame that it is reporting, and then aborts the process
  /// over the next one that is malformed.
  ///
  /// - Parameters:
  ///   - code: Why.
  ///   - words: The same for people, in ASCII.
  func terminate(_ code: HTTP2ErrorCode, saying words: String = "") {
    guard !isReceiving else {
      lateTermination = lateTermination ?? (code, words)
      return
    }
    // nghttp2's own last GOAWAY has no words, so those go into one before it.
    if !words.isEmpty { submitGoAway(code, saying: words) }
    nghttp2_session_terminate_session(raw, code.rawValue)
  }

  /// Sends a PING, whose answer carries the same payload.
  func submitPing(_ payload: UInt64) {
    withUnsafeBytes(of: payload.bigEndian) { bytes in
      _ = nghttp2_submit_ping(
        raw, UInt8(NGHTTP2_FLAG_NONE.rawValue),
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
  }

  private func dataProvider(_ stream: HTTP2Stream) -> nghttp2_data_provider {
    var provider = nghttp2_data_provider()
    // The session keeps the stream alive for as long as nghttp2 has it open.
    provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
    provider.read_callback = HTTP2Callbacks.readOutbound
    return provider
  }
}
