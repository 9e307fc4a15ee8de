/// How messages are read from ProtoJSON.
public struct JSONDecodingOptions: Hashable, Sendable {
  /// How deep objects and arrays may be nested; 100 by default.
  public var messageDepthLimit: Int = 100
  /// Whether fields and enum names that the message does not know are ignored instead of errors.
  public var ignoreUnknownFields: Bool = false

  /// The defaults.
  public init() {}
}
