import CNghttp2

/// Header blocks as a test writes and reads them.
enum WireHeaders {
  static func request(
    _ path: String = "/test.Echo/Unary", _ more: [(String, String)] = []
  ) -> [(String, String)] {
    [
      (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
      ("content-type", "application/grpc"), ("te", "trailers"),
    ] + more
  }

  /// Literal fields that are never indexed, without Huffman coding (RFC 7541, section 6.2.3).
  static func encode(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { [0x10] + string($0) + string($1) }
  }

  private static func string(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8.count
    if rest < 127 {
      bytes.append(UInt8(rest))
    } else {
      bytes.append(127)
      rest -= 127
      while rest >= 128 {
        bytes.append(UInt8(rest & 0x7f | 0x80))
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes + text.utf8
  }

  /// Reads the header blocks of one connection, in their order.
  final class Decoder {
    private var inflater: OpaquePointer?

    init() { nghttp2_hd_inflate_new(&inflater) }

    deinit { nghttp2_hd_inflate_del(inflater) }

    func decode(_ block: [UInt8]) -> [String: String] {
      var fields: [String: String] = [:]
      var offset = 0
      while true {
        var field = nghttp2_nv()
        var flags: Int32 = 0
        let size = block.withUnsafeBufferPointer { bytes in
          nghttp2_hd_inflate_hd2(
            inflater, &field, &flags, bytes.baseAddress.map { $0 + offset }, block.count - offset,
            1)
        }
        guard size >= 0 else { return fields }
        offset += size
        if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
          let name = UnsafeBufferPointer(start: field.name, count: field.namelen)
          let value = UnsafeBufferPointer(start: field.value, count: field.valuelen)
          fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
          nghttp2_hd_inflate_end_headers(inflater)
          return fields
        }
      }
    }
  }
}
