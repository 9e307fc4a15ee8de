extension Google_Protobuf_Any {
  /// What type URLs begin with unless another prefix is asked for.
  public static let defaultTypePrefix = "type.googleapis.com"

  /// Packs a message.
  ///
  /// - Parameters:
  ///   - message: any message.
  ///   - partial: whether required fields may be missing.
  ///   - typePrefix: what comes before the type's name in ``typeURL``.
  /// - Throws: a required field is missing.
  public init(
    message: some Message, partial: Bool = false, typePrefix: String = defaultTypePrefix
  ) throws(BinaryEncodingError) {
    self.init()
    typeURL = Google_Protobuf_Any.typeURL(of: type(of: message), prefix: typePrefix)
    value = try message.serializedBytes(partial: partial)
  }

  /// Whether the message in this one has the type `M`.
  public func isA<M: Message>(_ type: M.Type) -> Bool {
    typeName == M.protoMessageName
  }

  /// The full name of the type of the message in this one.
  var typeName: Substring {
    typeURL.lastIndex(of: "/").map { typeURL[typeURL.index(after: $0)...] } ?? typeURL[...]
  }

  /// The message in this one as it is written out inside of `depth` others; nil if the bytes are none,
  /// or nested too deeply. The limit is one for all levels: each `Any` in an `Any` would begin anew
  /// otherwise, and what is nested without a limit ends the stack.
  func unpacked<M: Message>(inside depth: Int) -> M? {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit -= depth
    guard options.messageDepthLimit >= 0 else { return nil }
    return try? M(serializedBytes: value, partial: true, options: options)
  }

  private static func typeURL(of type: any Message.Type, prefix: String) -> String {
    prefix.hasSuffix("/")
      ? prefix + type.protoMessageName : "\(prefix)/\(type.protoMessageName)"
  }
}

extension Message {
  /// Unpacks a message.
  ///
  /// - Parameters:
  ///   - unpackingAny: an `Any` with a message of this type.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - options: how to read.
  /// - Throws: ``AnyUnpackError`` if it has another type, or the ``BinaryDecodingError`` of its bytes.
  public init(
    unpackingAny any: Google_Protobuf_Any, extensions: (any ExtensionMap)? = nil,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) throws {
    guard any.isA(Self.self) else { throw AnyUnpackError.typeMismatch }
    try self.init(serializedBytes: any.value, extensions: extensions, options: options)
  }
}

/// Why a message can't be unpacked from a `google.protobuf.Any`.
public enum AnyUnpackError: Error, Hashable, Sendable {
  /// The message has another type.
  case typeMismatch
}
