import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

/// Which fields are kept on the heap.
@Suite struct StorageLayoutTests {
  /// A message with one field for each of `types`; "" stands for a string.
  private func message(_ name: String, _ types: [String]) -> Google_Protobuf_DescriptorProto {
    .with {
      $0.name = name
      $0.field = types.enumerated().map { index, type in
        .with {
          $0.name = "f\(index)"
          $0.number = Int32(index + 1)
          $0.label = .optional
          $0.type = type.isEmpty ? .string : .message
          if !type.isEmpty { $0.typeName = ".\(type)" }
        }
      }
    }
  }

  private func pool(_ messages: [Google_Protobuf_DescriptorProto]) -> DescriptorPool {
    DescriptorPool([
      .with {
        $0.name = "a.proto"
        $0.syntax = "proto3"
        $0.messageType = messages
      }
    ])
  }

  private func indirectFields(_ name: String, in pool: DescriptorPool) throws -> [Int] {
    let message = try pool.message(name)
    return message.fields.filter { pool.layout.isIndirect($0, of: message) }.map(\.number)
  }

  @Test func whatContainsItselfIsIndirect() throws {
    let pool = pool([
      message("Self", ["Self", "Leaf"]), message("A", ["", "B", "Leaf"]), message("B", ["C"]),
      message("C", ["A", "Self"]), message("Leaf", [""]),
    ])
    #expect(try indirectFields("Self", in: pool) == [1])
    #expect(try indirectFields("A", in: pool) == [2])
    #expect(try indirectFields("B", in: pool) == [1])
    #expect(try indirectFields("C", in: pool) == [1])
  }

  @Test func whatIsLargeIsIndirect() throws {
    let pool = pool([
      message("Large", Array(repeating: "", count: 17)), message("Outer", ["Large", "Leaf"]),
      message("Leaf", [""]), message("Half", Array(repeating: "", count: 9)),
      message("Two", ["Half", "Half"]), message("Three", ["Two", "Half"]),
    ])
    #expect(try indirectFields("Outer", in: pool) == [1])
    #expect(try indirectFields("Two", in: pool) == [])
    #expect(try indirectFields("Three", in: pool) == [1])
  }

  /// Were each type looked into anew for each field, this would never end; nor may the stack.
  @Test func longChainsAreLaidOut() throws {
    let count = 20_000
    let pool = pool(
      (0..<count).map { message("M\($0)", ["M\($0 + 1)", "M\($0 + 1)", ""]) }
        + [message("M\(count)", ["M\(count - 1)"])])
    #expect(try indirectFields("M\(count)", in: pool) == [1])
    #expect(try indirectFields("M\(count - 1)", in: pool) == [1, 2])
    #expect(try indirectFields("M\(count - 2)", in: pool) == [])
    #expect(!pool.requiredFields.isNeeded("M0"))
  }
}
