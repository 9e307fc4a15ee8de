import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Finding extensions by message and number or name.
@Suite struct SimpleExtensionMapTests {
  private let all = Swiftkart_Test_Extensions_Extensions

  @Test func findsByNumber() {
    let found = all[Swiftkart_Test_Extended.self, 120]
    #expect(found === Swiftkart_Test_Extender.Extensions.scoped_ext)
    #expect(all[Swiftkart_Test_Extended.self, 1] == nil)
    #expect(all[Swiftkart_Test_Set.self, 120] == nil)
  }

  @Test(arguments: [
    ("swiftkart.test.int32_ext", 2), ("swiftkart.test.Extender.scoped_ext", 120),
    ("swiftkart.test.Extender.Inner.deep_ext", 122), ("swiftkart.test.groupext", 23),
    ("int32_ext", nil),
  ])
  func findsByName(name: String, number: Int?) {
    #expect(
      all.fieldNumberForProto(
        messageType: Swiftkart_Test_Extended.self, protoFieldName: name) == number)
  }

  @Test func unites() {
    let inner: SimpleExtensionMap = [SKTExtensions_extra]
    let united = all.union(inner)
    #expect(united[SKTInner.self, 10] === SKTExtensions_extra)
    #expect(united[Swiftkart_Test_Extended.self, 2] === Swiftkart_Test_Extensions_int32_ext)
    #expect(all[SKTInner.self, 10] == nil)
    #expect(SimpleExtensionMap(all, inner)[SKTInner.self, 10] != nil)
  }

  @Test func theLaterOfTwoCounts() {
    let other = MessageExtension<OptionalExtensionField<ProtobufString>, SKTInner>(
      _protobuf_fieldNumber: 10, fieldName: "swiftkart.prefixed.other")
    var map: SimpleExtensionMap = [SKTExtensions_extra, other]
    #expect(map[SKTInner.self, 10] === other)
    #expect(
      map.fieldNumberForProto(
        messageType: SKTInner.self, protoFieldName: "swiftkart.prefixed.extra") == nil)
    map.insert(SKTExtensions_extra)
    #expect(map[SKTInner.self, 10] === SKTExtensions_extra)
  }
}
