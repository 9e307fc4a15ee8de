/// Finds out which messages can lack a required field.
struct RequiredFields {
  let pool: DescriptorPool

  /// Whether the message or one that it can hold has a required field.
  func isNeeded(_ message: String) throws -> Bool {
    var seen: Set<String> = []
    var left = [message]
    while let name = left.popLast() {
      guard seen.insert(name).inserted else { continue }
      for field in try pool.message(name).fields {
        if field.isRequired { return true }
        if field.isMessage { left.append(field.typeName) }
      }
    }
    return false
  }
}
