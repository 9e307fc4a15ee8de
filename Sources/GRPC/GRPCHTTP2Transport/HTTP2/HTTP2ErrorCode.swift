/// An HTTP/2 error code (RFC 9113, section 7).
struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
  var rawValue: UInt32

  static let noError = HTTP2ErrorCode(rawValue: 0x0)
  static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
  static let internalError = HTTP2ErrorCode(rawValue: 0x2)
  static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
  static let settingsTimeout = HTTP2ErrorCode(rawValue: 0x4)
  static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
  static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
  static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
  static let cancel = HTTP2ErrorCode(rawValue: 0x8)
  static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
  static let connectError = HTTP2ErrorCode(rawValue: 0xa)
  static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xb)
  static let inadequateSecurity = HTTP2ErrorCode(rawValue: 0xc)
  static let http11Required = HTTP2ErrorCode(rawValue: 0xd)

  /// Whether RFC 9113 gives the code a meaning.
  var isKnown: Bool { rawValue <= Self.http11Required.rawValue }
}

extension HTTP2ErrorCode: CustomStringConvertible {
  var description: String {
    let names = [
      "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
      "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
      "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]
    return rawValue < names.count
      ? names[Int(rawValue)] : "0x\(String(rawValue, radix: 16))"
  }
}
