package import GRPCCore

/// Passes messages on as the bytes they are, without looking into them.
package struct SerializedMessages: MessageSerializer, MessageDeserializer {
  package init() {}

  package func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes {
    // Every transport here carries arrays, so nothing is copied.
    message as? Bytes ?? Bytes(message)
  }

  package func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] {
    bytes as? [UInt8] ?? bytes.withUnsafeBytes { Array($0) }
  }
}
