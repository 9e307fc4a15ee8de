import SwiftProtobuf

/// One of the messages that tell more of a failure than its code and its text.
public struct ErrorDetails: Sendable, Hashable {
  /// The message, packed.
  public let any: Google_Protobuf_Any

  /// Creates details of a packed message.
  ///
  /// - Parameter any: The message.
  public static func any(_ any: Google_Protobuf_Any) -> Self {
    Self(any: any)
  }

  /// Creates details of a message.
  ///
  /// - Parameter message: The message.
  /// - Throws: `BinaryEncodingError` where a required field is missing.
  public static func packing(_ message: some Message) throws -> Self {
    Self(any: try Google_Protobuf_Any(message: message))
  }

  /// Reads the message, where it has a type.
  ///
  /// - Parameter type: The type of the message.
  /// - Returns: The message, or `nil` where it has another type.
  /// - Throws: `BinaryDecodingError` where its bytes can't be read.
  public func unpack<M: Message>(_ type: M.Type = M.self) throws -> M? {
    guard any.isA(type) else { return nil }
    return try M(unpackingAny: any)
  }
}
