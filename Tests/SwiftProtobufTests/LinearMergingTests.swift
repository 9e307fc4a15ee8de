import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Merging costs in proportion to the bytes that are read, not to what has been read before: the
/// elements that are there already stay where they are. How often they move is counted by their
/// address; a growing array moves them at each doubling, a copy at each merge.
@Suite struct LinearMergingTests {
  private static let pieces = 2000
  private static let doublings = 20

  private func moves<M: Message>(
    merging piece: M, extensions: (any ExtensionMap)? = nil, elements: (M) -> [some Any]
  ) throws -> Int {
    let bytes: [UInt8] = try piece.serializedBytes()
    var message = M()
    var address = 0
    var moves = 0
    for _ in 0..<Self.pieces {
      try message.merge(serializedBytes: bytes, extensions: extensions)
      let current = elements(message).withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
      if current != address { moves += 1 }
      address = current
    }
    #expect(elements(message).count >= Self.pieces)
    // All pieces in one message come to the same.
    let all = Array(repeatElement(bytes, count: Self.pieces).joined())
    #expect(try M(serializedBytes: all, extensions: extensions) == message)
    return moves
  }

  @Test func repeatedFieldsStay() throws {
    let piece = Swiftkart_Test_EveryRepeated.with {
      $0.int32Values = [1]
      $0.stringValues = ["a"]
      $0.colors = [.init()]
      $0.children = [.init()]
      $0.unpackedValues = [7]
    }
    #expect(try moves(merging: piece) { $0.int32Values } < Self.doublings)
    #expect(try moves(merging: piece) { $0.stringValues } < Self.doublings)
    #expect(try moves(merging: piece) { $0.colors } < Self.doublings)
    #expect(try moves(merging: piece) { $0.children } < Self.doublings)
    #expect(try moves(merging: piece) { $0.unpackedValues } < Self.doublings)
  }

  @Test func messagesAreMergedInPlace() throws {
    let file = Google_Protobuf_FileDescriptorProto.with {
      $0.sourceCodeInfo.location = [.init()]
    }
    #expect(try moves(merging: file) { $0.sourceCodeInfo.location } < Self.doublings)
    // On the heap, and two levels of it.
    let node = Swiftkart_Test_Node.with { $0.next.link.target.children = [.init()] }
    #expect(try moves(merging: node) { $0.next.link.target.children } < Self.doublings)
  }

  @Test func groupsAreMergedInPlace() throws {
    // A group in a group with one unknown field.
    let piece = try Swiftkart_Test_Features(serializedBytes: hex("3b 13 f8 01 01 14 3c"))
    #expect(try moves(merging: piece) { $0.group.group.unknownFields.data } < Self.doublings)
  }

  @Test func membersOfOneofsAreMergedInPlace() throws {
    let value = Google_Protobuf_Value.with { $0.listValue.values = [.init(booleanLiteral: true)] }
    #expect(try moves(merging: value) { $0.listValue.values } < Self.doublings)
    let node = Swiftkart_Test_Node.with { $0.branch.children = [.init()] }
    #expect(try moves(merging: node) { $0.branch.children } < Self.doublings)
  }

  @Test func extensionsAreMergedInPlace() throws {
    let piece = Swiftkart_Test_Extended.with {
      $0.Swiftkart_Test_int32SExt = [1]
      $0.Swiftkart_Test_packedInt32SExt = [1]
      $0.Swiftkart_Test_messageExt.Swiftkart_Test_stringsExt = ["a"]
    }
    let extensions = Swiftkart_Test_Extensions_Extensions
    #expect(
      try moves(merging: piece, extensions: extensions) { $0.Swiftkart_Test_int32SExt }
        < Self.doublings)
    #expect(
      try moves(merging: piece, extensions: extensions) { $0.Swiftkart_Test_packedInt32SExt }
        < Self.doublings)
    #expect(
      try moves(merging: piece, extensions: extensions) {
        $0.Swiftkart_Test_messageExt.Swiftkart_Test_stringsExt
      } < Self.doublings)
  }

  @Test func unknownFieldsStay() throws {
    let piece = try Swiftkart_Test_Node(serializedBytes: hex("f8 01 01 12 03 f8 01 01"))
    #expect(try moves(merging: piece) { $0.unknownFields.data } < Self.doublings)
    #expect(try moves(merging: piece) { $0.next.unknownFields.data } < Self.doublings)
  }

  @Test func runsAreAllocatedOnceAtTheirSize() throws {
    let message = Swiftkart_Test_EveryRepeated.with {
      $0.stringValues = .init(repeating: "a", count: 1000)
    }
    let read = try Swiftkart_Test_EveryRepeated(
      serializedBytes: message.serializedBytes() as [UInt8])
    #expect(read.stringValues.capacity < 1100)
  }
}
