import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Types of other files, `swift_prefix`, and names that are one in camel case.
@Suite struct ImportTests {
  @Test func publicImportsPassTypesOn() throws {
    let message = Swiftkart_Test_Importer.with {
      $0.inner.text = "a"
      $0.kind = .one
      $0.publisher.inner.SKTextra = 7
    }
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == hex("0a 03 0a 01 61 10 01 1a 04 0a 02 50 07"))
    #expect(
      try Swiftkart_Test_Importer(
        serializedBytes: bytes, extensions: SKTPrefixed_Extensions) == message)
    #expect(
      File_Importer.dependencies.map { $0.protoFileName } == ["published.proto"])
    #expect(
      File_Published.dependencies.map { $0.protoFileName } == ["prefixed/prefixed.proto"])
    #expect(SKTInner.protoMessageName == "swiftkart.prefixed.Inner")
  }

  @Test func collidingNamesAreToldApartByNumber() throws {
    let message = Swiftkart_Test_Colliding.with {
      $0.fooBar = 1
      $0.fooBar2 = 2
      $0.fooBar3 = 3
      $0.foo_Bar = [4]
      $0.one6 = "six"
      $0.two = "seven"
      $0.hasTwo_p = "h"
      $0.clearTwo_p = "c"
      $0.self_p.type = 1
    }
    #expect(
      try message.serializedBytes()
        == hex("08 01 10 02 18 03 20 04 32 03 73 69 78 3a 05 73 65 76 65 6e")
        + hex("6a 01 68 72 01 63 7b 08 01 7c"))
    #expect(message.fooBar0 == .one6("six"))
    #expect(message.fooBar1 == .two("seven"))
  }
}
