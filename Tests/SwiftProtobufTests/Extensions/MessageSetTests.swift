import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Extensions in message set format.
@Suite struct MessageSetTests {
  private let extensions = Swiftkart_Test_Extensions_Extensions
  private let wire = "0b 10 e8 07 1a 03 0a 01 61 0c"

  private func read(_ wire: String) throws -> Swiftkart_Test_Set {
    try Swiftkart_Test_Set(serializedBytes: hex(wire), extensions: extensions)
  }

  @Test func goesOverTheWire() throws {
    var set = Swiftkart_Test_Set()
    set.Swiftkart_Test_SetItem_item.text = "a"
    #expect(try set.serializedBytes() == hex(wire))
    #expect(try read(wire) == set)
    // Numbers reach higher than those of fields.
    set.Swiftkart_Test_otherItem.number = 1
    let both = hex(wire + "0b 10 fe ff ff ff 07 1a 02 08 01 0c")
    #expect(try set.serializedBytes() == both)
    #expect(try Swiftkart_Test_Set(serializedBytes: both, extensions: extensions) == set)
    let holder = Swiftkart_Test_SetHolder.with { $0.set = set }
    let held: [UInt8] = try holder.serializedBytes()
    #expect(held.count == both.count + 2)
    #expect(try Swiftkart_Test_SetHolder(serializedBytes: held, extensions: extensions) == holder)
  }

  @Test(arguments: [
    // The message before its type, other fields beside, more than one of either.
    "0b 1a 03 0a 01 61 10 e8 07 0c", "0b 20 01 10 e8 07 1a 03 0a 01 61 2d 00 00 00 00 0c",
    "0b 10 e8 07 1a 03 0a 01 61 1a 01 08 10 01 0c", "0b 10 e8 07 10 01 1a 03 0a 01 61 0c",
    // In two pieces; as an ordinary extension.
    "0b 10 e8 07 1a 00 0c 0b 10 e8 07 1a 03 0a 01 61 0c", "c2 3e 03 0a 01 61",
  ])
  func readsWhatOthersWrite(wire: String) throws {
    let set = try read(wire)
    #expect(set.Swiftkart_Test_SetItem_item.text == "a")
    #expect(set.unknownFields.isEmpty)
    #expect(try set.serializedBytes() == hex(self.wire))
  }

  @Test(arguments: ["0b 0c", "0b 10 e8 07 0c", "0b 1a 00 0c"])
  func itemsWithoutTypeOrMessageAreNone(wire: String) throws {
    #expect(try read(wire) == .init())
  }

  @Test func unknownItemsAreKept() throws {
    let set = try Swiftkart_Test_Set(serializedBytes: hex(wire))
    #expect(set.unknownFields.data == hex(wire))
    #expect(try set.serializedBytes() == hex(wire))
  }

  @Test(arguments: [
    ("0b 10 e8 07 1a 03 0a 02 61 0c", 7), ("0b 10 e8 07 1a 01 0a", 7), ("0b 10 e8", 2),
    ("0b 1a 01 0a 10 e8 07 0c", 4),
  ])
  func malformedItemsAreErrors(wire: String, offset: Int) {
    let error = #expect(throws: BinaryDecodingError.self) { try read(wire) }
    #expect(error?.code == .truncated)
    #expect(error?.byteOffset == offset)
  }

  /// An item that is declared in its own message goes by the message's name.
  @Test func hasANameInJSON() throws {
    let set = try read(wire)
    let json = #"{"[swiftkart.test.SetItem]":{"text":"a"}}"#
    #expect(try set.jsonString() == json)
    #expect(try Swiftkart_Test_Set(jsonString: json, extensions: extensions) == set)
  }
}
