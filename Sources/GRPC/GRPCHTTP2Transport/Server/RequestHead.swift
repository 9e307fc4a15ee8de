import GRPCCore

/// What a request's header block says of the call, collected field by field.
struct RequestHead {
  /// Why a request is not to be served.
  enum Refusal {
    /// Not `POST`: HTTP's 405.
    case method
    /// Not gRPC's content type: HTTP's 415.
    case contentType
    /// Messages are encoded in a way that is not understood here, where others are.
    case encoding(String, accepted: CompressionAlgorithmSet)
    case status(Status)
  }

  private(set) var route: ServerRoute?
  private(set) var timeout: Duration?
  private var unknownPath: Status?
  private var isPost = false
  private var isGRPC = false
  private var isTimeoutMalformed = false
  /// How the request's messages are compressed.
  private(set) var encoding = CompressionAlgorithm.none
  /// How the response's messages may be compressed.
  private(set) var acceptedEncodings = CompressionAlgorithmSet.none
  private var unknownEncoding: String?
  private var size = 0
  private let maxSize: Int
  private let enabledEncodings: CompressionAlgorithmSet

  init(_ configuration: HTTP2ServerTransport.Configuration) {
    maxSize = configuration.maxMetadataBytes
    enabledEncodings = configuration.compression.enabledAlgorithms
  }

  /// Forgets the header block before.
  mutating func reset() {
    route = nil
    timeout = nil
    unknownPath = nil
    isPost = false
    isGRPC = false
    isTimeoutMalformed = false
    encoding = .none
    acceptedEncodings = .none
    unknownEncoding = nil
    size = 0
  }

  /// Takes a field.
  ///
  /// - Returns: Whether it is metadata, and left to the caller.
  mutating func add(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, routes: ServerRoutes
  ) -> Bool {
    // As RFC 9113 counts a header list's size, in section 6.5.2.
    size += name.count + value.count + 32
    guard size <= maxSize else { return false }
    switch GRPCHeader(name) {
    case .path:
      route = routes.route(value)
      if route == nil { unknownPath = routes.status(forUnknown: value) }
    case .method:
      isPost = value.equals("POST")
    case .contentType:
      isGRPC = Self.isGRPC(value)
    case .timeout:
      timeout = Timeout(decoding: value)?.duration
      isTimeoutMalformed = timeout == nil
    case .encoding:
      if let algorithm = CompressionAlgorithm(header: value),
        algorithm == .none || enabledEncodings.contains(algorithm)
      {
        encoding = algorithm
      } else {
        unknownEncoding = String(decoding: value, as: UTF8.self)
      }
    case .acceptEncoding:
      acceptedEncodings = CompressionAlgorithmSet(header: value)
    case .metadata:
      return true
    case .status, .grpcStatus, .grpcMessage, .retryPushback, .reserved:
      break
    }
    return false
  }

  /// Why the request is not to be served; nil if it is.
  var refusal: Refusal? {
    if isPost, isGRPC, route != nil, !isTimeoutMalformed, unknownEncoding == nil, size <= maxSize {
      return nil
    }
    guard size <= maxSize else {
      return .status(
        Status(
          code: .resourceExhausted,
          message: "The request's header list has more than the \(maxSize) bytes allowed."))
    }
    guard isPost else { return .method }
    guard isGRPC else { return .contentType }
    if let unknownPath { return .status(unknownPath) }
    if let unknownEncoding { return .encoding(unknownEncoding, accepted: enabledEncodings) }
    return .status(Status(code: .internalError, message: "The grpc-timeout is malformed."))
  }

  /// `application/grpc` in small letters or capitals, also with a subtype after `+` or parameters after `;`.
  private static func isGRPC(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    let name: StaticString = "application/grpc"
    guard
      value.starts(with: name)
        || String(decoding: value.prefix(name.utf8CodeUnitCount), as: UTF8.self).lowercased()
          == "application/grpc"
    else { return false }
    guard value.count > name.utf8CodeUnitCount else { return true }
    let next = value[name.utf8CodeUnitCount]
    return next == UInt8(ascii: "+") || next == UInt8(ascii: ";")
  }
}
