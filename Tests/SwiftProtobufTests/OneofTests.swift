import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Oneofs: one member at a time.
@Suite struct OneofTests {
  @Test func settingAMemberUnsetsTheOthers() {
    var message = Swiftkart_Test_EveryOneof()
    message.text = "a"
    #expect(message.choice == .text("a"))
    message.message = .with { $0.int32Value = 1 }
    #expect(message.text == "")
    #expect(message.message.int32Value == 1)
    message.choice = nil
    #expect(message == Swiftkart_Test_EveryOneof())
  }

  @Test func aMemberAtItsDefaultIsWritten() throws {
    let message = Swiftkart_Test_EveryOneof.with {
      $0.before = 1
      $0.between = 2
      $0.choice = .text("")
    }
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == hex("08 01 12 00 20 02"))
    #expect(try Swiftkart_Test_EveryOneof(serializedBytes: bytes) == message)
  }

  @Test func theLastMemberOnTheWireCounts() throws {
    let message = try Swiftkart_Test_EveryOneof(serializedBytes: hex("1a 02 08 01 12 01 61"))
    #expect(message.choice == .text("a"))
  }

  @Test func theSameMessageMemberMerges() throws {
    let message = try Swiftkart_Test_EveryOneof(
      serializedBytes: hex("1a 02 08 01 1a 03 72 01 61"))
    #expect(
      message.message
        == .with {
          $0.int32Value = 1
          $0.stringValue = "a"
        })
  }

  @Test func aMessageMemberAfterAnotherStartsAnew() throws {
    let message = try Swiftkart_Test_EveryOneof(
      serializedBytes: hex("1a 02 08 01 12 01 61 1a 03 72 01 61"))
    #expect(message.message == .with { $0.stringValue = "a" })
  }
}
