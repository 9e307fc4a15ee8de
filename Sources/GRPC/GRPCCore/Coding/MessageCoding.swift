/// Turns messages into bytes.
public protocol MessageSerializer<Message>: Sendable {
  /// What is serialized.
  associatedtype Message

  /// Serializes a message.
  ///
  /// - Parameter message: The message.
  /// - Returns: Its bytes.
  /// - Throws: What makes the message impossible to serialize.
  func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes
}

/// Turns bytes into messages.
public protocol MessageDeserializer<Message>: Sendable {
  /// What is deserialized.
  associatedtype Message

  /// Deserializes a message.
  ///
  /// - Parameter serializedMessageBytes: The bytes of one message.
  /// - Returns: The message.
  /// - Throws: What makes the bytes impossible to read.
  func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) throws -> Message
}
