import CNghttp2

extension HTTP2Session {
  /// The connection has been measured: enlarges the windows if they were what held the peer up.
  ///
  /// That of the connection is given back as data arrives, and only must not be the smaller one.
  func windowProbeDidEnd() {
    guard let size = windowProbe.didReceiveAnswer(at: now()) else { return }
    let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
    var entry = nghttp2_settings_entry(
      settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
      value: UInt32(clamping: size))
    // Both fail only for want of memory, and the windows then stay as they are.
    nghttp2_submit_settings(raw, none, &entry, 1)
    nghttp2_session_set_local_window_size(
      raw, none, 0, Int32(clamping: max(connectionWindowSize, 2 * size)))
  }
}
