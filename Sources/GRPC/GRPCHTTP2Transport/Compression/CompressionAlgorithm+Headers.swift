import GRPCCore

extension CompressionAlgorithm {
  /// Reads a `grpc-encoding`; nil for an algorithm that there is not.
  init?(header name: UnsafeBufferPointer<UInt8>) {
    if name.equals("identity") {
      self = .none
    } else if name.equals("gzip") {
      self = .gzip
    } else if name.equals("deflate") {
      self = .deflate
    } else {
      return nil
    }
  }

  /// The algorithm as a `grpc-encoding`.
  var headerValue: StaticString {
    switch self {
    case .gzip: "gzip"
    case .deflate: "deflate"
    default: "identity"
    }
  }
}

extension CompressionAlgorithmSet {
  /// Reads a `grpc-accept-encoding`: names between commas, of which unknown ones are passed over.
  init(header value: UnsafeBufferPointer<UInt8>) {
    self = .none
    var rest = value[...]
    while !rest.isEmpty {
      let name = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest.dropFirst(name.count + 1)
      var trimmed = name.drop { $0 == UInt8(ascii: " ") }
      while trimmed.last == UInt8(ascii: " ") { trimmed.removeLast() }
      switch CompressionAlgorithm(header: .init(rebasing: trimmed)) {
      case .none?: formUnion(.none)
      case .gzip?: formUnion(.gzip)
      case .deflate?: formUnion(.deflate)
      default: break
      }
    }
  }

  /// The set as a `grpc-accept-encoding`; `identity` is always in it.
  var headerValue: StaticString {
    switch (contains(.gzip as CompressionAlgorithm), contains(.deflate as CompressionAlgorithm)) {
    case (true, true): "identity,deflate,gzip"
    case (true, false): "identity,gzip"
    case (false, true): "identity,deflate"
    case (false, false): "identity"
    }
  }
}
