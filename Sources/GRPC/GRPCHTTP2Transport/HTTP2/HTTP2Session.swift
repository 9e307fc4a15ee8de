import CNghttp2

/// HTTP/2 on one connection, bytes in and bytes out: nghttp2's session for either role.
///
/// A session belongs to its connection and is used on that connection's loop alone. Its properties
/// that every call changes are not checked for exclusive access, which costs as much as the change.
final class HTTP2Session {
  enum Role: Sendable {
    case client
    case server
  }

  /// How many DATA frames were sent, and how many bytes in them.
  struct SentData {
    var frames = 0
    var bytes = 0
  }

  let role: Role
  /// nghttp2's session; freed with this object.
  let raw: OpaquePointer
  private let memory: SessionMemory
  /// The connection, which owns the session and so outlives it.
  unowned(unsafe) var delegate: (any HTTP2SessionDelegate)?
  /// The streams that are open. nghttp2 has pointers to them, so this is what keeps them alive.
  @exclusivity(unchecked)
  private(set) var streams: [HTTP2Stream] = []
  /// The stream whose header block is arriving; without counting references, since `streams` has it.
  @exclusivity(unchecked)
  var headerStream: Unmanaged<HTTP2Stream>?
  /// The stream of the latest data.
  @exclusivity(unchecked)
  var dataStream: HTTP2Stream?
  /// Streams to be reset once all that is queued for them is written.
  @exclusivity(unchecked)
  var lateResets: [(id: Int32, code: HTTP2ErrorCode)] = []
  /// Whether nghttp2 is taking bytes in, and the end that one of its callbacks has asked for.
  private(set) var isReceiving = false
  var lateTermination: (code: HTTP2ErrorCode, words: String)?
  /// A PING to be sent after all that is queued: nghttp2 lets PING frames overtake others.
  var latePing: UInt64?
  /// Where frames go while ``produce(into:)`` runs.
  @exclusivity(unchecked)
  var output: OutputBuffer?
  /// How much consumption is gathered before nghttp2 is told: a quarter of a window. It tells the
  /// peer when it is a half.
  let consumptionStep: (stream: Int, connection: Int)
  var unreportedConsumption = 0
  /// Measures what the connection carries, to size its windows by it.
  @exclusivity(unchecked)
  var windowProbe: WindowProbe
  let connectionWindowSize: Int
  let now: () -> ContinuousClock.Instant
  /// Whether headers or data were sent since this was last cleared.
  var hasSentData = false
  var sentData = SentData()
  /// The limit to be written into our first SETTINGS frame; see ``HTTP2Session/patchSettings``.
  var advertisedMaxConcurrentStreams: UInt32?
  /// What nghttp2 is told instead: no limit at all.
  private static let noStreamLimit = UInt32(Int32.max)

  /// Makes a session whose first output is its settings.
  ///
  /// - Parameters:
  ///   - role: Which end of the connection it is.
  ///   - settings: What it asks of its peer.
  ///   - memory: What nghttp2 allocates from.
  ///   - now: Tells the time.
  init(
    role: Role, settings: HTTP2Settings, memory: SessionMemory = SessionMemory(),
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) throws(HTTP2SessionError) {
    self.memory = memory
    self.role = role
    self.now = now
    windowProbe = WindowProbe(
      window: settings.initialWindowSize, ceiling: settings.maxWindowSize)
    connectionWindowSize = settings.connectionWindowSize
    consumptionStep = (settings.initialWindowSize / 4, settings.connectionWindowSize / 4)
    var session: OpaquePointer?
    let create = role == .server ? nghttp2_session_server_new3 : nghttp2_session_client_new3
    var functions = memory.functions
    let result = create(
      &session, HTTP2Callbacks.shared.callbacks, nil, HTTP2Callbacks.shared.options, &functions)
    guard result == 0, let session else { throw HTTP2SessionError(Int(result)) }
    raw = session
    nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
    try submit(settings)
  }

  deinit {
    nghttp2_session_del(raw)
  }

  /// Whether the session has anything left to do with its peer.
  var isFinished: Bool {
    nghttp2_session_want_read(raw) == 0 && nghttp2_session_want_write(raw) == 0
  }

  /// How many bytes the peer may send before more are allowed, on all streams together.
  var localWindowSize: Int { Int(nghttp2_session_get_local_window_size(raw)) }

  /// How many bytes may be sent before the peer allows more, on all streams together.
  var remoteWindowSize: Int { Int(nghttp2_session_get_remote_window_size(raw)) }

  /// How many frames wait to be sent, besides data.
  var queuedFrameCount: Int { nghttp2_session_get_outbound_queue_size(raw) }

  /// Whether the peer has acknowledged our settings: nghttp2 goes by them from then on.
  var peerKnowsStreamLimit: Bool {
    nghttp2_session_get_local_settings(raw, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
      == Self.noStreamLimit
  }

  /// The size of the largest header list that can be sent: what the peer allows, and no more than
  /// nghttp2 sends.
  var maxSendHeaderListSize: Int {
    let allowed = nghttp2_session_get_remote_settings(raw, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)
    return min(Int(allowed), 64 << 10)
  }

  /// Takes what the peer has sent. What is to be answered is in the next output.
  ///
  /// A peer that breaks the protocol is answered with GOAWAY, after which ``isFinished`` turns
  /// true; only what leaves nothing to answer throws.
  func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTP2SessionError) {
    isReceiving = true
    let result = nghttp2_session_mem_recv(
      raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    isReceiving = false
    if let (code, words) = lateTermination {
      lateTermination = nil
      terminate(code, saying: words)
    }
    guard result >= 0 else { throw HTTP2SessionError(result) }
  }

  /// Gathers output.
  ///
  /// - Returns: Whether there may be more.
  func produce(into output: OutputBuffer) throws(HTTP2SessionError) -> Bool {
    self.output = output
    defer { self.output = nil }
    windowProbe.didProduceOutput()
    while output.count < SocketBuffers.outputSize {
      var bytes: UnsafePointer<UInt8>?
      let start = output.count
      let size = nghttp2_session_mem_send(raw, &bytes)
      guard size >= 0 else { throw HTTP2SessionError(size) }
      if size > 0, let bytes {
        output.append(bytes, size)
        if advertisedMaxConcurrentStreams != nil { patchSettings(output, from: start) }
      } else if output.count == start {
        guard submitLate() else { return false }
      }
    }
    return true
  }

  func add(_ stream: HTTP2Stream) {
    stream.place = Int32(streams.count)
    streams.append(stream)
  }

  func remove(_ stream: HTTP2Stream) {
    guard let place = stream.place, let last = streams.popLast() else { return }
    stream.place = nil
    if last !== stream {
      streams[Int(place)] = last
      last.place = place
    }
    if dataStream === stream { dataStream = nil }
    if headerStream?.toOpaque() == Unmanaged.passUnretained(stream).toOpaque() {
      headerStream = nil
    }
  }

  /// Ends all streams when the connection is gone: nghttp2 says nothing of them then.
  func closeAllStreams(_ reason: SocketChannel.CloseReason) {
    while let stream = streams.last {
      remove(stream)
      stream.didClose(.connectionClosed(reason))
    }
  }

  private func submit(_ settings: HTTP2Settings) throws(HTTP2SessionError) {
    var entries = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
        value: UInt32(clamping: settings.initialWindowSize)),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
        value: UInt32(clamping: settings.maxHeaderListSize)),
    ]
    switch role {
    case .client:
      entries.append(
        nghttp2_settings_entry(
          settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
    case .server:
      if let limit = settings.maxConcurrentStreams {
        advertisedMaxConcurrentStreams = UInt32(clamping: limit)
        entries.append(
          nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: Self.noStreamLimit))
      }
    }
    try check(
      nghttp2_submit_settings(raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count))
    try check(
      nghttp2_session_set_local_window_size(
        raw, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Int32(clamping: settings.connectionWindowSize)))
  }

  func check(_ result: Int32) throws(HTTP2SessionError) {
    guard result == 0 else { throw HTTP2SessionError(Int(result)) }
  }
}
