/// How binary messages are read.
public struct BinaryDecodingOptions: Hashable, Sendable {
  /// How deep messages and groups may be nested; 100 by default.
  public var messageDepthLimit: Int = 100
  /// Whether fields that the message does not know are dropped instead of kept in
  /// ``Message/unknownFields``.
  public var discardUnknownFields: Bool = false

  /// The defaults.
  public init() {}
}
