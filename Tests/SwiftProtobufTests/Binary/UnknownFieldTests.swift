import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Fields that a message does not know go through it unchanged.
@Suite struct UnknownFieldTests {
  @Test func unknownFieldsAreKeptInOrder() throws {
    // A varint, fixed sizes, a string and a group around the known field 1.
    let before = "f8 01 05 fd 01 01 02 03 04 f9 01 01 02 03 04 05 06 07 08"
    let after = "fa 01 01 61 fb 01 08 01 fb 01 fc 01 fc 01"
    let message = try Swiftkart_Test_SomeTypes(
      serializedBytes: hex(before + "08 07" + after))
    #expect(message.int32Value == 7)
    #expect(message.unknownFields.data == hex(before + after))
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == hex("08 07" + before + after))
  }

  @Test func aNewerMessagePassesThroughAnOlderOne() throws {
    let newer = Swiftkart_Test_EveryType.with {
      $0.int32Value = 1
      $0.stringValue = "text"
      $0.doubleValue = 2.5
      $0.child.boolValue = true
    }
    let older = try Swiftkart_Test_SomeTypes(serializedBytes: newer.serializedBytes() as [UInt8])
    #expect(older.int32Value == 1)
    let back = try Swiftkart_Test_EveryType(serializedBytes: older.serializedBytes() as [UInt8])
    #expect(back == newer)
  }

  @Test func aKnownNumberWithAnotherWireTypeIsUnknown() throws {
    let message = try Swiftkart_Test_EveryType(
      serializedBytes: hex("0a 01 61 71 01 02 03 04 05 06 07 08"))
    #expect(message == .with { $0.unknownFields = message.unknownFields })
    #expect(message.unknownFields.data == hex("0a 01 61 71 01 02 03 04 05 06 07 08"))
  }

  @Test func unknownFieldsMakeMessagesDiffer() throws {
    let message = try Swiftkart_Test_SomeTypes(serializedBytes: hex("f8 01 05"))
    #expect(message != Swiftkart_Test_SomeTypes())
    #expect(!message.unknownFields.isEmpty)
  }

  @Test func unknownFieldsCanBeDropped() throws {
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    let message = try Swiftkart_Test_SomeTypes(
      serializedBytes: hex("f8 01 05 08 01 fb 01 fc 01"), options: options)
    #expect(message == .with { $0.int32Value = 1 })
  }
}
