/// How messages are written in the text format.
public struct TextFormatEncodingOptions: Hashable, Sendable {
  /// Whether fields that the message's type does not know are written, by their numbers. Nothing
  /// reads them back.
  public var printUnknownFields = true

  /// The defaults.
  public init() {}
}
