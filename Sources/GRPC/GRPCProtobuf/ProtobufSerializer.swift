import GRPCCore
import SwiftProtobuf

/// Writes protobuf messages in the binary format.
public struct ProtobufSerializer<Message: SwiftProtobuf.Message>: GRPCCore.MessageSerializer {
  /// Creates a serializer.
  public init() {}

  /// Serializes a message.
  ///
  /// - Parameter message: The message.
  /// - Returns: Its bytes.
  /// - Throws: `RPCError` INTERNAL if a required field is not set.
  @inlinable
  public func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
    do {
      let bytes: [UInt8] = try message.serializedBytes()
      // The transports' own type: no copy.
      if let bytes = bytes as? Bytes { return bytes }
      return Bytes(bytes)
    } catch {
      throw RPCError(
        code: .internalError,
        message: "A message of type \(Message.protoMessageName) could not be written: \(error)",
        cause: error)
    }
  }
}

/// Reads protobuf messages in the binary format.
public struct ProtobufDeserializer<Message: SwiftProtobuf.Message>: GRPCCore.MessageDeserializer {
  /// Creates a deserializer.
  public init() {}

  /// Deserializes a message.
  ///
  /// - Parameter serializedMessageBytes: The bytes of one message.
  /// - Returns: The message.
  /// - Throws: `RPCError` INTERNAL if the bytes are not such a message.
  @inlinable
  public func deserialize<Bytes: GRPCContiguousBytes>(
    _ serializedMessageBytes: Bytes
  ) throws -> Message {
    do {
      if let bytes = serializedMessageBytes as? [UInt8] {
        return try Message(serializedBytes: bytes)
      }
      return try Message(serializedBytes: serializedMessageBytes.withUnsafeBytes { Array($0) })
    } catch {
      throw RPCError(
        code: .internalError,
        message: "A message of type \(Message.protoMessageName) could not be read: \(error)",
        cause: error)
    }
  }
}
