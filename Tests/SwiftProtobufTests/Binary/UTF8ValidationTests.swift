import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// The feature `utf8_validation`.
@Suite struct UTF8ValidationTests {
  @Test(arguments: [
    // A stray continuation byte, an overlong slash, half of a surrogate pair, a truncated scalar.
    ("1a 03 61 80 62", 3), ("1a 02 c0 af", 2), ("1a 03 ed a0 80", 2), ("1a 02 61 c3", 3),
  ])
  func checkedStringsAreErrors(wire: String, offset: Int) {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_Features(serializedBytes: hex(wire))
    }
    #expect(error == BinaryDecodingError(code: .invalidUTF8, byteOffset: offset))
  }

  @Test func uncheckedStringsAreRepaired() throws {
    let message = try Swiftkart_Test_Features(
      serializedBytes: hex("0a 03 61 80 62 12 01 ff 12 02 c3 a9 22 01 c3"))
    #expect(message.unchecked == "a\u{fffd}b")
    #expect(message.uncheckedList == ["\u{fffd}", "é"])
    #expect(message.implicitUnchecked == "\u{fffd}")
    let map = try Swiftkart_Test_Maps(serializedBytes: hex("42 06 0a 01 ff 12 01 fe"))
    #expect(map.unchecked == ["\u{fffd}": "\u{fffd}"])
    // As all strings of proto2 are.
    #expect(
      try Swiftkart_Test_Legacy(serializedBytes: hex("12 01 ff"), partial: true).name == "\u{fffd}")
  }

  @Test func uncheckedStringsAreStillBounded() {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_Features(serializedBytes: hex("0a 05 61"))
    }
    #expect(error == BinaryDecodingError(code: .truncated, byteOffset: 1))
  }
}
