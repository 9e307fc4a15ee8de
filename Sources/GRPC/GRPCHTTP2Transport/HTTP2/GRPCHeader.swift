import Glibc

/// The header fields that gRPC gives a meaning; everything else is metadata.
enum GRPCHeader {
  case method
  case path
  case status
  case contentType
  case timeout
  case encoding
  case acceptEncoding
  case grpcStatus
  case grpcMessage
  /// When a failed call may be made again.
  case retryPushback
  /// Another pseudo-header, another `grpc-` field, or one that belongs to the connection: neither
  /// of use here nor to be shown as metadata.
  case reserved
  case metadata

  /// Tells the field by its name, which HTTP/2 has in lower case.
  init(_ name: UnsafeBufferPointer<UInt8>) {
    guard let first = name.first else {
      self = .reserved
      return
    }
    switch first {
    case UInt8(ascii: ":"):
      self =
        switch name.count {
        case 5 where name.equals(":path"): .path
        case 7 where name.equals(":method"): .method
        case 7 where name.equals(":status"): .status
        default: .reserved
        }
    case UInt8(ascii: "g") where name.count > 5 && name.starts(with: "grpc-"):
      self =
        switch name.count {
        case 12 where name.equals("grpc-timeout"): .timeout
        case 13 where name.equals("grpc-encoding"): .encoding
        case 20 where name.equals("grpc-accept-encoding"): .acceptEncoding
        case 11 where name.equals("grpc-status"): .grpcStatus
        case 12 where name.equals("grpc-message"): .grpcMessage
        case 22 where name.equals("grpc-retry-pushback-ms"): .retryPushback
        case 26 where name.equals("grpc-previous-rpc-attempts"): .metadata
        // Rich errors are for whoever reads the metadata.
        case 23 where name.equals("grpc-status-details-bin"): .metadata
        default: .reserved
        }
    case UInt8(ascii: "c") where name.equals("content-type"):
      self = .contentType
    case UInt8(ascii: "t") where name.equals("te") || name.equals("transfer-encoding"),
      UInt8(ascii: "c") where name.equals("connection") || name.equals("content-length"),
      UInt8(ascii: "h") where name.equals("host"),
      UInt8(ascii: "k") where name.equals("keep-alive"),
      UInt8(ascii: "p") where name.equals("proxy-connection"),
      UInt8(ascii: "u") where name.equals("upgrade"):
      self = .reserved
    default:
      self = .metadata
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are those of a text.
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && starts(with: text)
  }

  /// Whether the bytes are those of an array.
  func equals(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard count == bytes.count, let baseAddress, let other = bytes.baseAddress else {
        return count == bytes.count
      }
      return memcmp(baseAddress, other, count) == 0
    }
  }

  /// Whether the bytes begin with those of a text.
  func starts(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount, let baseAddress else { return false }
    return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Whether the bytes end with those of a text.
  func ends(with text: StaticString) -> Bool {
    let size = text.utf8CodeUnitCount
    guard count >= size, let baseAddress else { return false }
    return memcmp(baseAddress + (count - size), text.utf8Start, size) == 0
  }
}
