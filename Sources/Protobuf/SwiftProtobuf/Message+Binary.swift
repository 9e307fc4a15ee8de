extension Message {
  /// The message in the binary format.
  ///
  /// Specification: <https://protobuf.dev/programming-guides/encoding/>.
  ///
  /// - Parameters:
  ///   - partial: whether required fields may be missing.
  ///   - options: how to write.
  /// - Returns: the bytes, allocated once.
  /// - Throws: a required field is missing, or the message would be 2 GiB or larger.
  @inlinable
  public func serializedBytes<Bytes: SwiftProtobufContiguousBytes>(
    partial: Bool = false, options: BinaryEncodingOptions = BinaryEncodingOptions()
  ) throws(BinaryEncodingError) -> Bytes {
    if !partial, !isInitialized { throw .missingRequiredFields }
    let size = _protobufSize()
    guard size <= Int(Int32.max) else { throw .messageTooLarge }
    var bytes = Bytes(repeating: 0, count: size)
    encode(into: bytes.mutableByteSpan(), options: options)
    return bytes
  }

  @inlinable
  func encode(into bytes: consuming MutableSpan<UInt8>, options: BinaryEncodingOptions) {
    var encoder = BinaryEncoder(bytes.mutableBytes, options: options)
    _protobufEncode(to: &encoder)
    assert(encoder.position == 0, "\(Self.protoMessageName) has another size than it summed up")
  }

  /// Reads a message from the binary format.
  ///
  /// - Parameters:
  ///   - bytes: one whole message.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  /// - Throws: the bytes are no message of this type, or a required field is missing.
  @inlinable
  public init<Bytes: SwiftProtobufContiguousBytes>(
    serializedBytes bytes: Bytes, extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws(BinaryDecodingError) {
    self.init()
    try merge(serializedBytes: bytes, extensions: extensions, partial: partial, options: options)
  }

  /// Reads a message from the binary format in a span.
  ///
  /// - Parameters:
  ///   - bytes: one whole message.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  /// - Throws: the bytes are no message of this type, or a required field is missing.
  @inlinable
  public init(
    serializedBytes bytes: RawSpan, extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws(BinaryDecodingError) {
    self.init()
    try merge(serializedBytes: bytes, extensions: extensions, partial: partial, options: options)
  }

  /// Merges a message in the binary format: single fields are replaced, messages merged, repeated
  /// fields appended to.
  ///
  /// - Parameters:
  ///   - bytes: one whole message.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  /// - Throws: the bytes are no message of this type, or a required field is missing; the fields
  ///   before the fault may then be merged.
  @inlinable
  public mutating func merge<Bytes: SwiftProtobufContiguousBytes>(
    serializedBytes bytes: Bytes, extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws(BinaryDecodingError) {
    try merge(
      serializedBytes: bytes.rawSpan, extensions: extensions, partial: partial, options: options)
  }

  /// Merges a message in the binary format in a span.
  ///
  /// - Parameters:
  ///   - bytes: one whole message.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  /// - Throws: the bytes are no message of this type, or a required field is missing; the fields
  ///   before the fault may then be merged.
  @inlinable
  public mutating func merge(
    serializedBytes bytes: RawSpan, extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws(BinaryDecodingError) {
    var decoder = BinaryDecoder(bytes, extensions: extensions, options: options)
    try _protobufDecode(from: &decoder)
    if !partial, !isInitialized {
      throw BinaryDecodingError(code: .missingRequiredFields, byteOffset: bytes.byteCount)
    }
  }
}
