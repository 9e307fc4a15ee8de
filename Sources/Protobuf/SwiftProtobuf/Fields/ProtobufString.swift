// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `string`.
public enum ProtobufString: MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var defaultValue: String { "" }

  @inlinable
  public static func isDefault(_ value: String) -> Bool { value.isEmpty }

  /// By code units, which is also the order of Unicode scalars.
  public static func isOrdered(_ key: String, before other: String) -> Bool {
    key.utf8.lexicographicallyPrecedes(other.utf8)
  }

  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> String {
    let length = try decoder.length()
    let start = decoder.position
    let bytes = Span<UInt8>(_bytes: decoder.bytes.extracting(start..<start &+ length))
    do throws(UTF8.ValidationError) {
      let string = String(copying: try UTF8Span(validating: bytes))
      decoder.position = start &+ length
      return string
    } catch {
      throw BinaryDecodingError(
        code: .invalidUTF8, byteOffset: start + error.byteOffsets.lowerBound)
    }
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: String, tagSize: Int) -> Int {
    let length = value.utf8.count
    return tagSize &+ Varint.size(UInt64(length)) &+ length
  }

  @inlinable
  public static func encode(_ value: String, tag: UInt32, to encoder: inout BinaryEncoder) {
    let utf8 = value.utf8.span
    encoder.raw(utf8.bytes)
    encoder.varint(UInt64(utf8.count))
    encoder.varint(UInt64(tag))
  }

  public static func write(_ value: String, to writer: inout ProtoJSONWriter) {
    writer.write(string: value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> String? {
    try reader.string()
  }

  public static func write(_ value: String, to writer: inout TextFormatWriter) {
    writer.write(quoted: value.utf8Span.span, isUTF8: true)
  }

  public static func read(from reader: inout TextFormatReader) throws -> String {
    try reader.string()
  }

  public static func writeKey(_ key: String, to writer: inout ProtoJSONWriter) {
    writer.write(string: key)
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> String {
    try reader.string()
  }
}
