import GRPCCore

/// Messages as the bytes they are: what is measured is the runtime, and no message format.
struct BytesCoder: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes {
    message as? Bytes ?? Bytes(message)
  }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] {
    bytes as? [UInt8] ?? bytes.withUnsafeBytes { [UInt8]($0) }
  }
}
