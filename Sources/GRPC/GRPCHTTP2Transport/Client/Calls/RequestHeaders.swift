import GRPCCore

/// Makes the header blocks of a connection's requests.
///
/// See gRPC's "gRPC over HTTP2", "Requests".
struct RequestHeaders {
  private let authority: [UInt8]
  private let scheme: StaticString
  private var path: [UInt8] = []
  private var list = HeaderList()
  /// What the list begins with: one call is often of the same method as the last.
  private var beginning: (method: MethodDescriptor, encoding: CompressionAlgorithm, HeaderList.End)?

  private let acceptedEncodings: CompressionAlgorithmSet

  init(authority: String, isSecure: Bool, acceptedEncodings: CompressionAlgorithmSet) {
    self.authority = Array(authority.utf8)
    scheme = isSecure ? "https" : "http"
    self.acceptedEncodings = acceptedEncodings
  }

  /// The header block of a call; valid until the next one is made.
  mutating func block(
    for method: MethodDescriptor, metadata: Metadata, encoding: CompressionAlgorithm,
    timeout: Duration?, previousAttempts: Int
  ) -> HeaderList {
    if let (last, lastEncoding, end) = beginning, last == method, lastEncoding == encoding {
      list.removeAll(after: end)
    } else {
      begin(for: method, encoding: encoding)
    }
    if let timeout {
      list.append("grpc-timeout", Timeout(rounding: timeout).description.utf8, recurs: false)
    }
    if previousAttempts > 0 {
      list.append("grpc-previous-rpc-attempts", "\(previousAttempts)".utf8)
    }
    list.append(metadata)
    return list
  }

  private mutating func begin(for method: MethodDescriptor, encoding: CompressionAlgorithm) {
    list.removeAll()
    path.removeAll(keepingCapacity: true)
    path.append(UInt8(ascii: "/"))
    path.append(contentsOf: method.service.fullyQualifiedService.utf8)
    path.append(UInt8(ascii: "/"))
    path.append(contentsOf: method.method.utf8)
    list.append(":method", "POST")
    list.append(":scheme", scheme)
    list.append(":path", path)
    list.append(":authority", authority)
    list.append("te", "trailers")
    list.append("content-type", "application/grpc")
    list.append("user-agent", "grpc-swiftkart/1.0")
    if encoding != .none { list.append("grpc-encoding", encoding.headerValue) }
    if !acceptedEncodings.subtracting(.none).isEmpty {
      list.append("grpc-accept-encoding", acceptedEncodings.headerValue)
    }
    beginning = (method, encoding, list.end)
  }
}
