// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `bytes`.
public enum ProtobufBytes: FieldCoding {
  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var defaultValue: [UInt8] { [] }

  @inlinable
  public static func isDefault(_ value: [UInt8]) -> Bool { value.isEmpty }

  @inlinable
  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> [UInt8] {
    let length = try decoder.length()
    let start = decoder.position
    decoder.position = start &+ length
    return [UInt8](copying: decoder.bytes.extracting(start..<start &+ length))
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: [UInt8], tagSize: Int) -> Int {
    tagSize &+ Varint.size(UInt64(value.count)) &+ value.count
  }

  @inlinable
  public static func encode(_ value: [UInt8], tag: UInt32, to encoder: inout BinaryEncoder) {
    encoder.raw(value.span.bytes)
    encoder.varint(UInt64(value.count))
    encoder.varint(UInt64(tag))
  }

  public static func write(_ value: [UInt8], to writer: inout ProtoJSONWriter) {
    writer.write(base64: value)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> [UInt8]? {
    try reader.base64()
  }

  public static func write(_ value: [UInt8], to writer: inout TextFormatWriter) {
    writer.write(quoted: value.span, isUTF8: false)
  }

  public static func read(from reader: inout TextFormatReader) throws -> [UInt8] {
    try reader.quoted()
  }
}
