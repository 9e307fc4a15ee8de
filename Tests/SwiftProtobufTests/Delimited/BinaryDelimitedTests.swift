import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Streams of messages, each behind its length.
@Suite struct BinaryDelimitedTests {
  private static let messages = [1, 0, -1].map { number in
    Swiftkart_Test_SomeTypes.with { $0.int32Value = number }
  }
  private static let stream = "02 08 01 00 0b 08 ff ff ff ff ff ff ff ff ff 01"

  @Test func aStreamIsWrittenAndRead() throws {
    var bytes: [UInt8] = []
    for message in Self.messages { try BinaryDelimited.serialize(message: message, to: &bytes) }
    #expect(bytes == hex(Self.stream))
    var input = bytes.makeIterator()
    for message in Self.messages {
      #expect(
        try BinaryDelimited.parse(messageType: Swiftkart_Test_SomeTypes.self, from: &input)
          == message)
    }
    #expect(
      try BinaryDelimited.parse(messageType: Swiftkart_Test_SomeTypes.self, from: &input) == nil)
  }

  @Test func aLongMessageHasALongLength() throws {
    let message = Swiftkart_Test_EveryType.with { $0.bytesValue = Array(repeating: 7, count: 300) }
    var bytes: [UInt8] = []
    try BinaryDelimited.serialize(message: message, to: &bytes)
    #expect(bytes.prefix(2) == [0xaf, 0x02])
    var input = bytes.makeIterator()
    #expect(try BinaryDelimited.parse(from: &input) == message)
  }

  @Test func messagesAreMerged() throws {
    var message = Swiftkart_Test_EveryRepeated.with { $0.int32Values = [1] }
    var input = hex("03 0a 01 02").makeIterator()
    #expect(try BinaryDelimited.merge(into: &message, from: &input))
    #expect(message.int32Values == [1, 2])
    #expect(try !BinaryDelimited.merge(into: &message, from: &input))
  }

  static let faults: [(String, BinaryDelimited.Error)] = [
    ("02 08", .truncated), ("80", .truncated), ("05", .truncated),
    // A length that asks for 2 GiB of memory, and one that is no varint.
    ("80 80 80 80 08", .malformedLength), ("ff ff ff ff 07", .truncated),
    ("ff ff ff ff ff ff ff ff ff ff 01", .malformedLength),
  ]

  @Test(arguments: faults)
  func faultsAreErrors(stream: String, error: BinaryDelimited.Error) async {
    var input = hex(stream).makeIterator()
    #expect(throws: error) {
      try BinaryDelimited.parse(messageType: Swiftkart_Test_SomeTypes.self, from: &input)
    }
    await #expect(throws: error) {
      for try await _ in Bytes(hex(stream)).binaryProtobufDelimitedMessages(
        of: Swiftkart_Test_SomeTypes.self)
      {}
    }
  }

  @Test func aFaultyMessageIsAnError() {
    var input = hex("01 08").makeIterator()
    #expect(throws: BinaryDecodingError(code: .truncated, byteOffset: 1)) {
      try BinaryDelimited.parse(messageType: Swiftkart_Test_SomeTypes.self, from: &input)
    }
  }

  @Test func requiredFieldsMayBeMissingOnlyIfAllowed() throws {
    var bytes: [UInt8] = []
    #expect(throws: BinaryEncodingError.missingRequiredFields) {
      try BinaryDelimited.serialize(message: Swiftkart_Test_Legacy(), to: &bytes)
    }
    #expect(bytes.isEmpty)
    try BinaryDelimited.serialize(message: Swiftkart_Test_Legacy(), to: &bytes, partial: true)
    var input = bytes.makeIterator()
    #expect(throws: BinaryDecodingError.self) {
      try BinaryDelimited.parse(messageType: Swiftkart_Test_Legacy.self, from: &input)
    }
    input = bytes.makeIterator()
    #expect(try BinaryDelimited.parse(from: &input, partial: true) == Swiftkart_Test_Legacy())
  }

  @Test func messagesComeOverTime() async throws {
    var read: [Swiftkart_Test_SomeTypes] = []
    for try await message in Bytes(hex(Self.stream)).binaryProtobufDelimitedMessages(
      of: Swiftkart_Test_SomeTypes.self)
    {
      read.append(message)
    }
    #expect(read == Self.messages)
  }
}

/// Bytes as a sequence that could wait for them.
private struct Bytes: AsyncSequence {
  typealias Element = UInt8
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  struct AsyncIterator: AsyncIteratorProtocol {
    var bytes: [UInt8].Iterator
    mutating func next() async throws -> UInt8? { bytes.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes.makeIterator()) }
}
