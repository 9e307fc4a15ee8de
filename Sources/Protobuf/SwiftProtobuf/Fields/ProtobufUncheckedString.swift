// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The field type `string` where the feature `utf8_validation` is `NONE`, as in proto2: what is not
/// UTF-8 is read as U+FFFD instead of being an error.
public enum ProtobufUncheckedString: MapKeyCoding {
  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var defaultValue: String { "" }

  @inlinable
  public static func isDefault(_ value: String) -> Bool { value.isEmpty }

  public static func isOrdered(_ key: String, before other: String) -> Bool {
    ProtobufString.isOrdered(key, before: other)
  }

  public static func decode(
    from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) -> String {
    let start = decoder.position
    do throws(BinaryDecodingError) {
      return try ProtobufString.decode(from: &decoder)
    } catch {
      guard error.code == .invalidUTF8 else { throw error }
      decoder.position = start
      return String(decoding: try ProtobufBytes.decode(from: &decoder), as: UTF8.self)
    }
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: String, tagSize: Int) -> Int {
    ProtobufString.encodedSize(of: value, tagSize: tagSize)
  }

  @inlinable
  public static func encode(_ value: String, tag: UInt32, to encoder: inout BinaryEncoder) {
    ProtobufString.encode(value, tag: tag, to: &encoder)
  }

  public static func write(_ value: String, to writer: inout ProtoJSONWriter) {
    ProtobufString.write(value, to: &writer)
  }

  public static func read(from reader: inout ProtoJSONReader) throws -> String? {
    try ProtobufString.read(from: &reader)
  }

  public static func write(_ value: String, to writer: inout TextFormatWriter) {
    ProtobufString.write(value, to: &writer)
  }

  public static func read(from reader: inout TextFormatReader) throws -> String {
    try ProtobufString.read(from: &reader)
  }

  public static func writeKey(_ key: String, to writer: inout ProtoJSONWriter) {
    ProtobufString.writeKey(key, to: &writer)
  }

  public static func readKey(from reader: inout ProtoJSONReader) throws -> String {
    try ProtobufString.readKey(from: &reader)
  }
}
