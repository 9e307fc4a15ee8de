/// The text of a feed: UTF-8, or else Latin-1, which is what older timing systems send.
enum RMonitorText {
  static func decode(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
    return text
  }

  /// The beginning of a line, in quotes, fit to be printed.
  static func excerpt(_ bytes: some Collection<UInt8>) -> String {
    let text = decode(Array(bytes.prefix(40))).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    return "\"\(String(text))\(bytes.count > 40 ? "…" : "")\""
  }
}
