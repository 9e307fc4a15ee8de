/// How messages are read from the text format.
public struct TextFormatDecodingOptions: Hashable, Sendable {
  /// How deep messages may be nested; 100 by default.
  public var messageDepthLimit: Int = 100
  /// Whether fields that the message does not have are ignored instead of errors.
  public var ignoreUnknownFields = false
  /// Whether extensions that are not known are ignored instead of errors.
  public var ignoreUnknownExtensionFields = false

  /// The defaults.
  public init() {}
}
