import GRPCCore

/// Passes messages on as bytes, without looking into them.
struct RawMessages: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes {
    // The transports' own type: no copy.
    message as? Bytes ?? Bytes(message)
  }

  func deserialize<Bytes: GRPCContiguousBytes>(_ serializedMessageBytes: Bytes) -> [UInt8] {
    serializedMessageBytes as? [UInt8] ?? serializedMessageBytes.withUnsafeBytes { Array($0) }
  }
}
