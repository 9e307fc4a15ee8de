import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Required fields, here and in messages inside.
@Suite struct RequiredFieldTests {
  @Test(arguments: [
    ("", false), ("08 00", true),
    // In a group, a member of a oneof, a message on the heap.
    ("08 00 5b 5c", false), ("08 00 5b 0a 00 5c", true),
    ("08 00 82 01 00", false), ("08 00 82 01 02 08 00", true),
  ])
  func legacyIsInitialized(wire: String, isInitialized: Bool) throws {
    let message = try Swiftkart_Test_Legacy(serializedBytes: hex(wire), partial: true)
    #expect(message.isInitialized == isInitialized)
    if isInitialized {
      let bytes: [UInt8] = try message.serializedBytes()
      #expect(bytes == hex(wire))
      _ = try Swiftkart_Test_Legacy(serializedBytes: hex(wire))
    } else {
      #expect(throws: BinaryEncodingError.missingRequiredFields) {
        try message.serializedBytes() as [UInt8]
      }
      let partial: [UInt8] = try message.serializedBytes(partial: true)
      #expect(partial == hex(wire))
      let error = #expect(throws: BinaryDecodingError.self) {
        try Swiftkart_Test_Legacy(serializedBytes: hex(wire))
      }
      #expect(error?.code == .missingRequiredFields)
    }
  }

  @Test func typesWithoutRequiredFieldsAreAlwaysInitialized() {
    #expect(Swiftkart_Test_Node().isInitialized)
  }

  @Test(arguments: [
    ("", true), ("0a 00", false), ("12 00", false), ("1a 02 0a 00", false), ("22 00", false),
    ("2a 00", true), ("32 02 0a 00", false), ("32 00", true),
  ])
  func holdersLackWhatTheyHoldLacks(wire: String, isInitialized: Bool) throws {
    let message = try Swiftkart_Test_RequiredHolder(serializedBytes: hex(wire), partial: true)
    #expect(message.isInitialized == isInitialized)
  }

  @Test func everyKindCanBeRequired() throws {
    var message = Swiftkart_Test_Required.with {
      $0.int32Value = 0
      $0.doubleValue = 0
      $0.stringValue = ""
      $0.bytesValue = []
      $0.signal = .none
    }
    #expect(!message.isInitialized)
    message.message = .init()
    #expect(message.isInitialized)
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == hex("08 00 11 00 00 00 00 00 00 00 00 1a 00 22 00 28 00 32 00"))
    #expect(try Swiftkart_Test_Required(serializedBytes: bytes) == message)
  }
}
