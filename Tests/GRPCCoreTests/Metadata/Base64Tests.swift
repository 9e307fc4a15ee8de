import GRPCCore
import Testing

/// RFC 4648's own examples, and what `-bin` metadata may do to them.
@Suite struct Base64Tests {
  private static let examples: [(text: String, encoded: String)] = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: examples)
  func encodesWithPadding(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
  }

  @Test(arguments: examples)
  func decodesWithAndWithoutPadding(text: String, encoded: String) {
    #expect(Base64.decode(encoded) == Array(text.utf8))
    #expect(Base64.decode(String(encoded.prefix { $0 != "=" })) == Array(text.utf8))
  }

  @Test func everyByteSurvives() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
  }

  @Test(arguments: ["A", "Zg=", "Zg===", "Zm9v=", "Z g", "Zg==Zg", "Z*g=", "Zé==", "===="])
  func refusesWhatIsNotBase64(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
