// Unknown fields are written with their numbers in place of names. What has a length might be a
// string or a message: it is written as a message if it reads as one.
extension TextFormatWriter {
  mutating func write(unknown fields: UnknownStorage) {
    let bytes = fields.data
    // They were read once, so that they read again.
    _ = try? write(unknown: bytes.span.bytes, depth: 10)
  }

  private mutating func write(
    unknown bytes: RawSpan, depth: Int
  ) throws(BinaryDecodingError) {
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    var decoder = BinaryDecoder(bytes, options: options)
    try write(from: &decoder, depth: depth)
  }

  private mutating func write(
    from decoder: inout BinaryDecoder, depth: Int
  ) throws(BinaryDecodingError) {
    while let tag = try decoder.nextTag() {
      guard tag >> 3 != 0 else { throw decoder.failure(.invalidTag) }
      indent()
      write(integer: tag >> 3)
      switch WireType(rawValue: tag & 7) {
      case .varint:
        write(raw: ": ")
        write(integer: try decoder.varint())
        write(raw: "\n")
      case .fixed32:
        write(raw: ": ")
        write(hexadecimal: try decoder.fixed(UInt32.self))
        write(raw: "\n")
      case .fixed64:
        write(raw: ": ")
        write(hexadecimal: try decoder.fixed(UInt64.self))
        write(raw: "\n")
      case .startGroup:
        let enclosing = try decoder.enterGroup()
        openBrace()
        try write(from: &decoder, depth: depth)
        closeBrace()
        decoder.leave(enclosing)
      case .lengthDelimited:
        write(unknownBytes: try ProtobufBytes.decode(from: &decoder), depth: depth)
      case .endGroup, nil:
        throw decoder.failure(.invalidTag)
      }
    }
  }

  private mutating func write(unknownBytes bytes: [UInt8], depth: Int) {
    if !bytes.isEmpty, depth > 0 {
      var trial = TextFormatWriter(options: options)
      trial.copyIndentation(of: self)
      trial.openBrace()
      if (try? trial.write(unknown: bytes.span.bytes, depth: depth - 1)) != nil {
        trial.closeBrace()
        output.append(contentsOf: trial.output)
        return
      }
    }
    write(raw: ": ")
    write(quoted: bytes.span, isUTF8: false)
    write(raw: "\n")
  }
}
