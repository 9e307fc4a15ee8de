extension Message {
  /// The message in the text format, a field on each line.
  ///
  /// Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.
  ///
  /// - Parameter options: how to write.
  public func textFormatString(
    options: TextFormatEncodingOptions = TextFormatEncodingOptions()
  ) -> String {
    var writer = TextFormatWriter(options: options)
    // Every message has a text form: nothing that writes one throws.
    try? writer.write(fieldsOf: self)
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// Reads a message from the text format.
  ///
  /// - Parameters:
  ///   - textFormatString: the message's fields.
  ///   - options: how to read.
  ///   - extensions: the extensions that the text may name.
  /// - Throws: ``TextFormatDecodingError`` if it is no message of this type.
  public init(
    textFormatString: String, options: TextFormatDecodingOptions = TextFormatDecodingOptions(),
    extensions: (any ExtensionMap)? = nil
  ) throws {
    self.init()
    let text = textFormatString.utf8Span.span
    var reader = TextFormatReader(text, extensions: extensions, options: options)
    try reader.fields(of: &self, upTo: nil)
    if !isInitialized {
      throw TextFormatDecodingError(code: .missingRequiredFields, byteOffset: text.count)
    }
  }

  /// The message's type and its fields in the text format.
  public var debugDescription: String {
    "\(Self.protoMessageName):\n\(textFormatString())"
  }
}
