import GRPCCore

extension RPCError {
  /// What it means for a call that its stream was reset.
  ///
  /// See gRPC's "gRPC over HTTP2", "Errors".
  init(streamError code: HTTP2ErrorCode) {
    let status: Code =
      switch code {
      case .refusedStream: .unavailable
      case .cancel: .cancelled
      case .enhanceYourCalm: .resourceExhausted
      case .inadequateSecurity: .permissionDenied
      default: code.isKnown ? .internalError : .unknown
      }
    self.init(code: status, message: "The server reset the call's stream with \(code).")
  }

  /// What it means for a call that the answer is not gRPC's but some proxy's or web server's.
  ///
  /// See gRPC's "HTTP to gRPC Status Code Mapping".
  init(httpStatus: Int, contentType: String?) {
    let status: Code =
      switch httpStatus {
      case 400: .internalError
      case 401: .unauthenticated
      case 403: .permissionDenied
      case 404: .unimplemented
      case 429, 502, 503, 504: .unavailable
      default: .unknown
      }
    let type = contentType.map { "content type “\($0)”" } ?? "no content type"
    self.init(
      code: status, message: "The answer is not gRPC's: HTTP status \(httpStatus), \(type).")
  }

  /// What it means for a call that the response's bytes are not gRPC's messages.
  init(_ failure: MessageDeframer.Failure) {
    switch failure {
    case .malformedPrefix(let flag):
      self.init(
        code: .internalError, message: "A response message begins with the unknown flag \(flag).")
    case .unexpectedCompression:
      self.init(
        code: .internalError, message: "A response message is compressed, and nothing was agreed.")
    case .tooLarge(let size, let limit):
      self.init(
        code: .resourceExhausted,
        message: "A response message has \(size) bytes, and the limit is \(limit).")
    case .tooLargeDecompressed(let limit):
      self.init(
        code: .resourceExhausted,
        message: "A response message has more bytes than the limit of \(limit), decompressed.")
    case .malformedCompression:
      self.init(code: .internalError, message: "A response message could not be decompressed.")
    }
  }
}
