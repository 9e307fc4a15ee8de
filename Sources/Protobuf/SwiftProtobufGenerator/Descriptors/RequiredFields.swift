/// Finds out which messages can lack a required field.
struct RequiredFields: Sendable {
  private var needing: Set<String> = []

  init(_ messages: [String: MessageDescriptor]) {
    var holders: [String: [String]] = [:]
    var left: [String] = []
    for message in messages.values {
      for field in message.fields where field.isMessage {
        holders[field.typeName, default: []].append(message.fullName)
      }
      // Whatever an extension holds may have some.
      if !message.extensionRanges.isEmpty || message.fields.contains(where: \.isRequired) {
        left.append(message.fullName)
      }
    }
    while let name = left.popLast() {
      if needing.insert(name).inserted { left += holders[name] ?? [] }
    }
  }

  /// Whether the message or one that it can hold has, or may be extended by, a required field.
  func isNeeded(_ message: String) -> Bool { needing.contains(message) }
}
