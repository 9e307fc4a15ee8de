import GRPCCore
import GRPCProtobuf
import SwiftProtobuf
import Testing

@Suite struct ProtobufCodingTests {
  /// Bytes of another type than the transports' own.
  struct OtherBytes: GRPCContiguousBytes, Equatable {
    var bytes: [UInt8]

    init(repeating byte: UInt8, count: Int) { bytes = Array(repeating: byte, count: count) }
    init(_ sequence: some Sequence<UInt8>) { bytes = Array(sequence) }
    var count: Int { bytes.count }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try bytes.withUnsafeBytes(body)
    }

    mutating func withUnsafeMutableBytes<R>(
      _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R {
      try bytes.withUnsafeMutableBytes(body)
    }
  }

  private static let message = Google_Protobuf_Duration(seconds: 300, nanos: 7)
  private static let wire: [UInt8] = [0x08, 0xAC, 0x02, 0x10, 0x07]

  @Test func messagesAreWrittenAndRead() throws {
    let serializer = ProtobufSerializer<Google_Protobuf_Duration>()
    let deserializer = ProtobufDeserializer<Google_Protobuf_Duration>()
    let bytes: [UInt8] = try serializer.serialize(Self.message)
    #expect(bytes == Self.wire)
    #expect(try deserializer.deserialize(bytes) == Self.message)
    #expect(try deserializer.deserialize([UInt8]()) == Google_Protobuf_Duration())
  }

  @Test func anyTypeOfBytesWillDo() throws {
    let bytes: OtherBytes = try ProtobufSerializer<Google_Protobuf_Duration>().serialize(
      Self.message)
    #expect(bytes == OtherBytes(Self.wire))
    #expect(
      try ProtobufDeserializer<Google_Protobuf_Duration>().deserialize(bytes) == Self.message)
  }

  @Test(arguments: [[0x08], [0x08, 0xFF], [0x0A, 0x05, 0x01], [0x07]] as [[UInt8]])
  func bytesThatAreNoMessageAreInternal(bytes: [UInt8]) {
    let error = #expect(throws: RPCError.self) {
      try ProtobufDeserializer<Google_Protobuf_Duration>().deserialize(bytes)
    }
    #expect(error?.code == .internalError)
    #expect(error?.message.contains("google.protobuf.Duration") == true)
    #expect(error?.cause is BinaryDecodingError)
  }

  @Test func aMessageWithoutARequiredFieldIsInternal() {
    // Both of its fields are required.
    let incomplete = Google_Protobuf_UninterpretedOption.NamePart()
    let error = #expect(throws: RPCError.self) {
      let _: [UInt8] = try ProtobufSerializer().serialize(incomplete)
    }
    #expect(error?.code == .internalError)
    let reading = #expect(throws: RPCError.self) {
      try ProtobufDeserializer<Google_Protobuf_UninterpretedOption.NamePart>()
        .deserialize([UInt8]())
    }
    #expect(reading?.code == .internalError)
  }
}
