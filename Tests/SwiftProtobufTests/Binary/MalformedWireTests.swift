import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Bytes that are no message: each is an error with its place, and none traps.
@Suite struct MalformedWireTests {
  typealias Code = BinaryDecodingError.Code

  @Test(arguments: [
    ("08", Code.truncated, 1),
    ("08 80", .truncated, 1),
    ("08 80 80 80 80 80 80 80 80 80 80 01", .malformedVarint, 1),
    ("08 ff ff ff ff ff ff ff ff ff ff", .malformedVarint, 1),
    ("80", .truncated, 0),
    ("00", .invalidTag, 0),
    ("08 01 00 00", .invalidTag, 2),
    ("06", .invalidTag, 0),
    ("07 00", .invalidTag, 0),
    // A tag of more than 32 bits, one of more than five bytes.
    ("ff ff ff ff 7f 00", .invalidTag, 0),
    ("88 80 80 80 80 00 00", .invalidTag, 0),
    ("3d 00 00 00", .truncated, 1),
    ("41 00 00 00 00 00 00 00", .truncated, 1),
    ("72 02 61", .truncated, 1),
    ("72", .truncated, 1),
    ("72 ff ff ff ff 07", .truncated, 1),
    ("72 ff ff ff ff ff ff ff ff ff 01", .invalidLength, 1),
    ("72 80 80 80 80 08", .invalidLength, 1),
    ("7a ff ff ff ff 07 00", .truncated, 1),
    ("72 01 ff", .invalidUTF8, 2),
    ("72 03 61 ed a0", .invalidUTF8, 3),
    ("72 04 61 ed a0 80", .invalidUTF8, 3),
    ("72 02 c0 80", .invalidUTF8, 2),
    ("72 03 61 e2 82", .invalidUTF8, 3),
    ("0c", .unmatchedEndGroup, 0),
    // A message that ends in the middle of a field of its own.
    ("8a 01 01 08", .truncated, 4),
    ("8a 01 02 72 05 61 61 61 61 61", .truncated, 4),
    // Unknown fields are read as carefully.
    ("fa 01 05 00", .truncated, 2),
    ("f8 01 80", .truncated, 2),
    ("f9 01 00", .truncated, 2),
    ("fb 01 08 01", .truncated, 4),
    ("fb 01 84 02", .unmatchedEndGroup, 2),
    ("fb 01 04", .unmatchedEndGroup, 2),
  ])
  func failsWhereItIsWrong(wire: String, code: Code, offset: Int) {
    #expect(throws: BinaryDecodingError(code: code, byteOffset: offset)) {
      try Swiftkart_Test_EveryType(serializedBytes: hex(wire))
    }
  }

  @Test(arguments: [
    ("0a 02 01", Code.truncated),
    ("0a 02 01 80", .truncated),
    ("3a 03 01 00 00", .truncated),
    ("72 01 ff", .invalidUTF8),
    ("0a ff ff ff ff 07 01", .truncated),
    ("8a 01 03 08 01", .truncated),
  ])
  func failsInRepeatedFields(wire: String, code: Code) {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_EveryRepeated(serializedBytes: hex(wire))
    }
    #expect(error?.code == code)
  }

  @Test(arguments: [
    ("0a 05 08 01 12 05 61", Code.truncated), ("0a 02 12 05", .truncated),
    ("0a 03 12 01 ff", .invalidUTF8), ("0a 01 04", .unmatchedEndGroup), ("0a 01 00", .invalidTag),
  ])
  func failsInMaps(wire: String, code: Code) {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_EveryMap(serializedBytes: hex(wire))
    }
    #expect(error?.code == code)
  }

  /// Also where a message declares no fields at all.
  @Test func fieldsHaveNoNumberZero() {
    #expect(throws: BinaryDecodingError(code: .invalidTag, byteOffset: 2)) {
      try Swiftkart_Test_RequiredHolder(serializedBytes: hex("2a 02 00 00"))
    }
  }

  @Test(arguments: [
    // The group does not end, ends with another number, ends inside of another message.
    ("08 01 53 08 01", Code.truncated), ("08 01 53 0c", .unmatchedEndGroup),
    ("08 01 82 01 03 53 08 01 54", .truncated),
  ])
  func failsInGroups(wire: String, code: Code) {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_Legacy(serializedBytes: hex(wire))
    }
    #expect(error?.code == code)
  }

  @Test func everyPrefixIsAnErrorOrAMessage() throws {
    let message = Swiftkart_Test_EveryType.with {
      $0.int64Value = .min
      $0.doubleValue = 1
      $0.stringValue = "héllo"
      $0.bytesValue = [1, 2, 3]
      $0.child.child.stringValue = "deep"
    }
    let bytes: [UInt8] = try message.serializedBytes()
    for count in 0..<bytes.count {
      let prefix = Array(bytes[..<count])
      if let read = try? Swiftkart_Test_EveryType(serializedBytes: prefix) {
        #expect(try read.serializedBytes() == prefix)
      }
    }
  }

  @Test func nestingIsLimited() throws {
    func nested(_ levels: Int) throws -> [UInt8] {
      var message = Swiftkart_Test_EveryType()
      for _ in 0..<levels {
        let inner = message
        message = .with { $0.child = inner }
      }
      return try message.serializedBytes()
    }
    _ = try Swiftkart_Test_EveryType(serializedBytes: nested(100))
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_EveryType(serializedBytes: nested(101))
    }
    #expect(error?.code == .messageDepthLimit)

    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 1
    _ = try Swiftkart_Test_EveryType(serializedBytes: nested(1), options: options)
    #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_EveryType(serializedBytes: nested(2), options: options)
    }
  }

  @Test func nestingOfUnknownGroupsIsLimited() {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_EveryType(
        serializedBytes: [UInt8](repeating: 0xfb, count: 5000).flatMap { [$0, 0x01] })
    }
    #expect(error?.code == .messageDepthLimit)
  }

  @Test func errorsReadAsSentences() {
    #expect(
      "\(BinaryDecodingError(code: .invalidUTF8, byteOffset: 3))"
        == "a string is not valid UTF-8 (at byte 3)")
  }
}
