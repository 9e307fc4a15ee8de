// Requirements are documented by the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A field whose type is a message, written between a start and an end tag.
public enum ProtobufGroup<M: Message>: FieldCoding {
  @inlinable
  public static func isInitialized(_ value: M) -> Bool { value.isInitialized }

  @inlinable
  public static var wireType: WireType { .startGroup }

  @inlinable
  public static var defaultValue: M { M() }

  /// Message fields have explicit presence: a message that is there is not a default.
  @inlinable
  public static func isDefault(_ value: M) -> Bool { false }

  @inlinable
  public static func decode(from decoder: inout BinaryDecoder) throws(BinaryDecodingError) -> M {
    var message = M()
    try decoder.delimitedByTags(&message)
    return message
  }

  @inlinable
  public static func merge(
    into value: inout M, from decoder: inout BinaryDecoder
  ) throws(BinaryDecodingError) {
    try decoder.delimitedByTags(&value)
  }

  @inlinable
  public static func encodedSize(of value: M, tagSize: Int) -> Int {
    2 &* tagSize &+ value._protobufSize()
  }

  /// - Parameter tag: the start tag, whose number the end tag repeats.
  @inlinable
  public static func encode(_ value: M, tag: UInt32, to encoder: inout BinaryEncoder) {
    encoder.varint(UInt64(tag &+ 1))
    value._protobufEncode(to: &encoder)
    encoder.varint(UInt64(tag))
  }

  @inlinable
  public static var acceptsJSONNull: Bool { M._protobufAcceptsJSONNull }

  @inlinable
  public static func write(_ value: M, to writer: inout ProtoJSONWriter) throws {
    try ProtobufMessage<M>.write(value, to: &writer)
  }

  @inlinable
  public static func read(from reader: inout ProtoJSONReader) throws -> M? {
    try ProtobufMessage<M>.read(from: &reader)
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
