import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Which fields know whether they are set, and what unset ones read as.
@Suite struct PresenceTests {
  @Test func explicitFieldsKnowWhetherTheyAreSet() throws {
    var message = Swiftkart_Test_EveryOptional()
    #expect(!message.hasInt32Value)
    #expect(message.int32Value == 0)
    message.int32Value = 0
    #expect(message.hasInt32Value)
    #expect(message != Swiftkart_Test_EveryOptional())
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == hex("08 00"))
    #expect(try Swiftkart_Test_EveryOptional(serializedBytes: bytes) == message)
    message.clearInt32Value()
    #expect(message == Swiftkart_Test_EveryOptional())
  }

  @Test func implicitFieldsAreUnsetAtTheirDefault() throws {
    var message = Swiftkart_Test_EveryType()
    message.int32Value = 0
    message.stringValue = ""
    message.color = .none
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes.isEmpty)
    // What was written explicitly reads as the default and is not written again.
    let read = try Swiftkart_Test_EveryType(serializedBytes: hex("08 00 72 00"))
    #expect(read == message)
  }

  @Test func messageFieldsAreAlwaysExplicit() {
    var message = Swiftkart_Test_EveryType()
    #expect(!message.hasChild)
    message.child = .init()
    #expect(message.hasChild)
  }

  @Test func contractDefaultReadsBack() throws {
    var request = ListRacesRequest()
    #expect(request.limit == 100)
    #expect(!request.hasLimit)
    request.limit = 0
    #expect(request.hasLimit)
    let bytes: [UInt8] = try request.serializedBytes()
    #expect(bytes == hex("08 00"))
    #expect(try ListRacesRequest(serializedBytes: bytes).limit == 0)
    #expect(try ListRacesRequest(serializedBytes: [UInt8]()).limit == 100)
  }

  @Test func defaultsOfEveryKind() {
    let message = Swiftkart_Test_Legacy()
    #expect(message.name == "un\"named\"\n")
    #expect(message.blob == [1, 255, 0x61, 0x5c])
    #expect(message.infinite == -.infinity)
    #expect(message.notANumber.isNaN)
    #expect(message.low == .min)
    #expect(message.on)
    #expect(message.level == .high)
    #expect(message.third == 1.5e-3)
    #expect(Swiftkart_Test_Modern().explicitValue == 42)
  }

  @Test func editionFeaturesDecide() throws {
    let message = Swiftkart_Test_Modern.with {
      $0.explicitValue = 0
      $0.implicitValue = 0
      $0.requiredValue = 0
      $0.expanded = [1, 2]
      $0.packed = [1, 2]
      $0.delimited = .with { $0.requiredValue = 1 }
      $0.prefixed = .with { $0.requiredValue = 1 }
      $0.leaves = ["k": .with { $0.text = "v" }]
      $0.closed = .b
      $0.open = .UNRECOGNIZED(3)
      $0.delimitedLeaves = [.init()]
    }
    let bytes: [UInt8] = try message.serializedBytes()
    let wire = [
      "08 00", "18 00", "20 01 20 02", "2a 02 01 02", "33 18 01 34", "3a 02 18 01",
      "42 08 0a 01 6b 12 03 0a 01 76", "48 05", "50 03", "c3 3e c4 3e",
    ]
    #expect(bytes == hex(wire.joined()))
    #expect(try Swiftkart_Test_Modern(serializedBytes: bytes) == message)
  }
}
