// ProtoJSON writes a duration as a decimal number of seconds and the letter s.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_Duration {
  /// 10,000 years in seconds.
  private static let limit: Int64 = 315_576_000_000

  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    guard seconds.magnitude <= Google_Protobuf_Duration.limit, nanos.magnitude < 1_000_000_000,
      seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0)
    else { throw JSONEncodingError.invalidDuration }
    writer.write(raw: seconds < 0 || nanos < 0 ? "\"-" : "\"")
    writer.write(integer: seconds.magnitude)
    writer.write(fraction: Int(nanos.magnitude))
    writer.write(raw: "s\"")
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    _ = reader.peek()
    let start = reader.position
    guard let parsed = try reader.string(as: { Google_Protobuf_Duration(json: $0) }) else {
      throw JSONDecodingError(code: .malformedDuration, byteOffset: start)
    }
    self = parsed
  }

  /// Reads a duration as in `-1.5s`.
  init?(json text: Span<UInt8>) {
    var scanner = DigitScanner(text)
    let sign: Int64 = scanner.skip("-") ? -1 : 1
    guard let seconds = scanner.number(), seconds <= Google_Protobuf_Duration.limit,
      let nanos = scanner.fraction(), scanner.skip("s"), scanner.isAtEnd
    else { return nil }
    self.init(seconds: sign * seconds, nanos: Int32(sign) * Int32(nanos))
  }
}
