import GRPCCore

/// Messages that are text, in UTF-8.
struct TextSerializer: MessageSerializer {
  struct TooSecret: Error {}

  func serialize<Bytes: GRPCContiguousBytes>(_ message: String) throws -> Bytes {
    if message == "secret" { throw TooSecret() }
    if message == "forbidden" { throw RPCError(code: .permissionDenied, message: "No.") }
    // Not UTF-8, for those who read it.
    return message == "unreadable" ? Bytes([0xFF]) : Bytes(message.utf8)
  }
}

struct TextDeserializer: MessageDeserializer {
  struct NotText: Error {}

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> String {
    guard let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
      throw NotText()
    }
    return text
  }
}
