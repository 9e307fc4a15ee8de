extension Message {
  /// The message in ProtoJSON.
  ///
  /// Specification: <https://protobuf.dev/programming-guides/json/>.
  ///
  /// - Parameter options: how to write.
  /// - Throws: ``JSONEncodingError`` if a well-known type inside has a value that ProtoJSON has no
  ///   form for.
  public func jsonString(options: JSONEncodingOptions = JSONEncodingOptions()) throws -> String {
    String(decoding: try jsonUTF8Bytes(options: options) as [UInt8], as: UTF8.self)
  }

  /// The message in ProtoJSON, as UTF-8.
  ///
  /// - Parameter options: how to write.
  /// - Throws: ``JSONEncodingError`` if a well-known type inside has a value that ProtoJSON has no
  ///   form for.
  public func jsonUTF8Bytes<Bytes: SwiftProtobufContiguousBytes>(
    options: JSONEncodingOptions = JSONEncodingOptions()
  ) throws -> Bytes {
    var writer = ProtoJSONWriter(options: options)
    try _protobufWriteJSON(to: &writer)
    let output = writer.output
    if let same = output as? Bytes { return same }
    var bytes = Bytes(repeating: 0, count: output.count)
    var span = bytes.mutableByteSpan()
    var raw = span.mutableBytes
    raw.copy(output.span.bytes, at: 0)
    return bytes
  }

  /// Reads a message from ProtoJSON.
  ///
  /// - Parameters:
  ///   - jsonString: one JSON value.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - options: how to read.
  /// - Throws: ``JSONDecodingError`` if it is no message of this type.
  public init(
    jsonString: String, extensions: (any ExtensionMap)? = nil,
    options: JSONDecodingOptions = JSONDecodingOptions()
  ) throws {
    try self.init(json: jsonString.utf8Span.span, extensions: extensions, options: options)
  }

  /// Reads a message from ProtoJSON in UTF-8.
  ///
  /// - Parameters:
  ///   - jsonUTF8Bytes: one JSON value.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - options: how to read.
  /// - Throws: ``JSONDecodingError`` if it is no message of this type.
  public init<Bytes: SwiftProtobufContiguousBytes>(
    jsonUTF8Bytes: Bytes, extensions: (any ExtensionMap)? = nil,
    options: JSONDecodingOptions = JSONDecodingOptions()
  ) throws {
    try self.init(
      json: Span<UInt8>(_bytes: jsonUTF8Bytes.rawSpan), extensions: extensions, options: options)
  }

  private init(
    json: Span<UInt8>, extensions: (any ExtensionMap)?, options: JSONDecodingOptions
  ) throws {
    self.init()
    var reader = ProtoJSONReader(json, extensions: extensions, options: options)
    try _protobufReadJSON(from: &reader)
    try reader.expectEnd()
    if !isInitialized {
      throw JSONDecodingError(code: .missingRequiredFields, byteOffset: json.count)
    }
  }

  /// Messages as an array in ProtoJSON.
  ///
  /// - Parameters:
  ///   - messages: the messages, in order.
  ///   - options: how to write.
  /// - Throws: ``JSONEncodingError`` if a well-known type inside has a value that ProtoJSON has no
  ///   form for.
  public static func jsonString(
    from messages: some Collection<Self>, options: JSONEncodingOptions = JSONEncodingOptions()
  ) throws -> String {
    var writer = ProtoJSONWriter(options: options)
    try writer.write(array: Array(messages), ProtobufMessage<Self>.self)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// Reads messages from an array in ProtoJSON.
  ///
  /// - Parameters:
  ///   - jsonString: one JSON array.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - options: how to read.
  /// - Throws: ``JSONDecodingError`` if it is no array of messages of this type.
  public static func array(
    fromJSONString jsonString: String, extensions: (any ExtensionMap)? = nil,
    options: JSONDecodingOptions = JSONDecodingOptions()
  ) throws -> [Self] {
    let json = jsonString.utf8Span.span
    var reader = ProtoJSONReader(json, extensions: extensions, options: options)
    var messages: [Self] = []
    try reader.array(ProtobufMessage<Self>.self, into: &messages)
    try reader.expectEnd()
    guard messages.allSatisfy(\.isInitialized) else {
      throw JSONDecodingError(code: .missingRequiredFields, byteOffset: json.count)
    }
    return messages
  }

  /// Writes the message as an object of its fields.
  @inlinable
  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    try writer.write(object: self)
  }

  /// Reads the message from an object of its fields.
  @inlinable
  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    try reader.object(into: &self)
  }
}
