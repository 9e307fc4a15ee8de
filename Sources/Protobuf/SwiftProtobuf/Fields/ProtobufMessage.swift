// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A field whose type is a message, written with its length.
public enum ProtobufMessage<M: Message>: FieldCoding {
  @inlinable
  public static func isInitialized(_ value: M) -> Bool { value.isInitialized }

  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var defaultValue: M { M() }

  /// Message fields have explicit presence: a message that is there is not a default.
  @inlinable
  public static func isDefault(_ value: M) -> Bool { false }

  @inlinable
  @inline(__always)
  public static func decode(from decoder: inout BinaryDecoder) throws(BinaryDecodingError) -> M {
    var message = M()
    try decoder.delimited(&message)
    return message
  }

  @inlinable
  @inline(__always)
  public static func merge(
    into value: inout M, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) {
    try decoder.delimited(&value)
  }

  @inlinable
  @inline(__always)
  public static func encodedSize(of value: M, tagSize: Int) -> Int {
    let length = value._protobufSize()
    return tagSize &+ Varint.size(UInt64(length)) &+ length
  }

  @inlinable
  @inline(__always)
  public static func encode(_ value: M, tag: UInt32, to encoder: inout BinaryEncoder) {
    let end = encoder.position
    value._protobufEncode(to: &encoder)
    encoder.varint(UInt64(end &- encoder.position))
    encoder.varint(UInt64(tag))
  }

  @inlinable
  public static var acceptsJSONNull: Bool { M._protobufAcceptsJSONNull }

  @inlinable
  public static func write(_ value: M, to writer: inout ProtoJSONWriter) throws {
    try value._protobufWriteJSON(to: &writer)
  }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws -> M? {
    var message = M()
    try message._protobufReadJSON(from: &reader)
    return message
  }

  @inlinable
  public static var isMessage: Bool { true }

  public static func write(_ value: M, to writer: inout TextFormatWriter) throws {
    try writer.write(message: value)
  }

  public static func read(from reader: inout TextFormatReader) throws -> M {
    try reader.message(M.self)
  }
}
