import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Each scalar type's form on the wire, both ways.
@Suite struct ScalarWireTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let wire: String
    let message: Swiftkart_Test_EveryType
    var testDescription: String { wire }

    init(_ wire: String, _ populate: (inout Swiftkart_Test_EveryType) -> Void) {
      self.wire = wire
      message = .with(populate)
    }
  }

  static let rows: [Row] = [
    Row("") { _ in },
    Row("08 96 01") { $0.int32Value = 150 },
    Row("08 ff ff ff ff ff ff ff ff ff 01") { $0.int32Value = -1 },
    Row("08 80 80 80 80 f8 ff ff ff ff 01") { $0.int32Value = .min },
    Row("08 7f") { $0.int32Value = 127 },
    Row("08 80 01") { $0.int32Value = 128 },
    Row("10 ff ff ff ff ff ff ff ff 7f") { $0.int64Value = .max },
    Row("10 80 80 80 80 80 80 80 80 80 01") { $0.int64Value = .min },
    Row("18 ff ff ff ff 0f") { $0.uint32Value = .max },
    Row("20 ff ff ff ff ff ff ff ff ff 01") { $0.uint64Value = .max },
    Row("28 01") { $0.sint32Value = -1 },
    Row("28 fe ff ff ff 0f") { $0.sint32Value = .max },
    Row("28 ff ff ff ff 0f") { $0.sint32Value = .min },
    Row("30 ff ff ff ff ff ff ff ff ff 01") { $0.sint64Value = .min },
    Row("3d 04 03 02 01") { $0.fixed32Value = 0x0102_0304 },
    Row("41 08 07 06 05 04 03 02 01") { $0.fixed64Value = 0x0102_0304_0506_0708 },
    Row("4d fe ff ff ff") { $0.sfixed32Value = -2 },
    Row("51 fe ff ff ff ff ff ff ff") { $0.sfixed64Value = -2 },
    Row("5d 00 00 80 3f") { $0.floatValue = 1 },
    Row("5d 00 00 00 80") { $0.floatValue = -0.0 },
    Row("61 00 00 00 00 00 00 f0 bf") { $0.doubleValue = -1 },
    Row("61 00 00 00 00 00 00 f0 7f") { $0.doubleValue = .infinity },
    Row("68 01") { $0.boolValue = true },
    Row("72 05 c3 a9 e2 82 ac") { $0.stringValue = "é€" },
    Row("7a 03 00 ff 80") { $0.bytesValue = [0, 255, 128] },
    Row("80 01 02") { $0.color = .green },
    Row("80 01 ff ff ff ff ff ff ff ff ff 01") { $0.color = .infrared },
    Row("80 01 07") { $0.color = .UNRECOGNIZED(7) },
    Row("8a 01 00") { $0.child = .init() },
    Row("8a 01 05 8a 01 02 08 01") { $0.child.child.int32Value = 1 },
  ]

  @Test(arguments: rows)
  func writes(_ row: Row) throws {
    let bytes: [UInt8] = try row.message.serializedBytes()
    #expect(bytes == hex(row.wire))
  }

  @Test(arguments: rows)
  func reads(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryType(serializedBytes: hex(row.wire)) == row.message)
  }

  @Test func sizesOfVarints() {
    for bits in 0..<64 {
      let value = UInt64(1) << UInt64(bits)
      #expect(Varint.size(value) == bits / 7 + 1)
      #expect(Varint.size(value - 1) == max(bits + 6, 7) / 7)
    }
    #expect(Varint.size(.max) == 10)
  }

  @Test(arguments: [
    // Longer than needed, but whole.
    ("08 80 80 00", 0 as Int32),
    ("88 00 05", 5),
    // Beyond 32 bits: the low ones count.
    ("08 81 80 80 80 10", 1),
    ("08 ff ff ff ff 0f", -1),
    // Twice: the last counts.
    ("08 01 08 02", 2),
  ])
  func readsLooseInt32(wire: String, value: Int32) throws {
    #expect(try Swiftkart_Test_EveryType(serializedBytes: hex(wire)).int32Value == value)
  }

  @Test func anyNonZeroBoolIsTrue() throws {
    let message = try Swiftkart_Test_EveryType(serializedBytes: hex("68 80 80 80 80 80 80 80 01"))
    #expect(message.boolValue)
  }

  @Test func longStringsAndBytesCopyWhole() throws {
    for count in [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 200, 70_000] {
      let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(32 + $0 % 90))) })
      let message = Swiftkart_Test_EveryType.with {
        $0.stringValue = text
        $0.bytesValue = Array(text.utf8)
      }
      let bytes: [UInt8] = try message.serializedBytes()
      #expect(try Swiftkart_Test_EveryType(serializedBytes: bytes) == message)
    }
  }

  @Test func messagesMerge() throws {
    // child {int32: 1} and child {string: "a"} make one child with both.
    let message = try Swiftkart_Test_EveryType(
      serializedBytes: hex("8a 01 02 08 01 8a 01 03 72 01 61"))
    #expect(
      message.child
        == .with {
          $0.int32Value = 1
          $0.stringValue = "a"
        })
  }
}
