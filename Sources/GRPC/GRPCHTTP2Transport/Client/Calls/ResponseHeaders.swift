import GRPCCore

/// A header block of a response: the headers, the trailers, or both in one.
///
/// What every response is asked is inlined: the call would copy the whole block to ask it elsewhere.
struct ResponseHeaders {
  /// The largest header list to take, in bytes as RFC 9113, section 6.5.2, counts them.
  var maxSize = Int.max
  private var size = 0
  private(set) var httpStatus = 0
  private var isGRPC = false
  /// The content type where it is none of gRPC's.
  private var otherContentType: String?
  private var encoding = CompressionAlgorithm.none
  private var unknownEncoding: String?
  private(set) var metadata = Metadata()
  private(set) var pushback = CallRetry.Pushback.nothing
  /// The key of metadata that is not what it should be.
  private(set) var malformedKey: String?
  private var statusCode: Int?
  private var statusMessage = ""

  /// Takes a field; its bytes are valid during the call only.
  mutating func add(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    size += name.count + value.count + 32
    guard size <= maxSize else { return }
    switch GRPCHeader(name) {
    case .status: httpStatus = Int(decimal: value) ?? 0
    case .grpcStatus: statusCode = Int(decimal: value) ?? -1
    case .retryPushback:
      pushback = CallRetry.Pushback(milliseconds: Int(decimal: value))
      // Callers who make the call again themselves, and gateways, need it too.
      _ = metadata.addField(name: name, value: value)
    case .grpcMessage: statusMessage = PercentEncoding.decode(value)
    case .contentType:
      isGRPC = value.isGRPCContentType
      otherContentType = isGRPC ? nil : String(decoding: value, as: UTF8.self)
    case .encoding:
      if let algorithm = CompressionAlgorithm(header: value) {
        encoding = algorithm
      } else {
        unknownEncoding = String(decoding: value, as: UTF8.self)
      }
    case .metadata:
      if !metadata.addField(name: name, value: value) {
        malformedKey = String(decoding: name, as: UTF8.self)
      }
    case .method, .path, .timeout, .acceptEncoding, .reserved: break
    }
  }

  /// Whether there is more than is to be taken, and was left out.
  var isTooLarge: Bool { size > maxSize }

  /// A 1xx answer, after which the real one comes.
  var isInformational: Bool { (100..<200).contains(httpStatus) }

  /// Why these, at the beginning of a response, are not gRPC's headers.
  @inline(__always)
  var failure: RPCError? {
    guard httpStatus == 200, isGRPC else { return failureOfOther }
    return nil
  }

  private var failureOfOther: RPCError {
    RPCError(httpStatus: httpStatus, contentType: isGRPC ? "application/grpc" : otherContentType)
  }

  /// How the response's messages are compressed; a failure where that is none of the ways allowed.
  @inline(__always)
  func encoding(
    among accepted: CompressionAlgorithmSet
  ) -> Result<CompressionAlgorithm, RPCError> {
    if unknownEncoding == nil, encoding == .none { return .success(.none) }
    return otherEncoding(among: accepted)
  }

  private func otherEncoding(
    among accepted: CompressionAlgorithmSet
  ) -> Result<CompressionAlgorithm, RPCError> {
    if unknownEncoding == nil, accepted.contains(encoding) { return .success(encoding) }
    return .failure(
      RPCError(
        code: .internalError,
        message: "The response is encoded as “\(unknownEncoding ?? "\(encoding)")”, which was not "
          + "among “\(accepted.headerValue)”."))
  }

  /// How the call ended, as the server said; nil if it did not.
  @inline(__always)
  var status: Status? {
    guard let statusCode else { return nil }
    // A code that this version does not know still ends the call.
    let code = Status.Code(rawValue: statusCode) ?? .unknown
    return Status(code: code, message: statusMessage)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Any `application/grpc`, in either case, with a `+` suffix or parameters.
  fileprivate var isGRPCContentType: Bool {
    if equals("application/grpc") { return true }
    let prefix = "application/grpc"
    guard count >= prefix.utf8.count else { return false }
    let start = String(decoding: self[..<prefix.utf8.count], as: UTF8.self)
    guard start.lowercased() == prefix else { return false }
    guard count > prefix.utf8.count else { return true }
    let next = self[prefix.utf8.count]
    return next == UInt8(ascii: "+") || next == UInt8(ascii: ";")
  }
}

extension Int {
  fileprivate init?(decimal text: UnsafeBufferPointer<UInt8>) {
    guard !text.isEmpty, text.count <= 9 else { return nil }
    self = 0
    for digit in text {
      guard (0x30...0x39).contains(digit) else { return nil }
      self = 10 * self + Int(digit & 0xf)
    }
  }
}
