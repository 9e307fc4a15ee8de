import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Repeated fields and maps on the wire.
@Suite struct RepeatedWireTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let wire: String
    let message: Swiftkart_Test_EveryRepeated
    var testDescription: String { wire }

    init(_ wire: String, _ populate: (inout Swiftkart_Test_EveryRepeated) -> Void) {
      self.wire = wire
      message = .with(populate)
    }
  }

  static let rows: [Row] = [
    Row("0a 0d 01 ac 02 ff ff ff ff ff ff ff ff ff 01") { $0.int32Values = [1, 300, -1] },
    Row("12 01 05") { $0.int64Values = [5] },
    Row("1a 02 00 01") { $0.uint32Values = [0, 1] },
    Row("22 02 00 01") { $0.uint64Values = [0, 1] },
    Row("2a 02 01 02") { $0.sint32Values = [-1, 1] },
    Row("32 02 01 02") { $0.sint64Values = [-1, 1] },
    Row("3a 08 01 00 00 00 02 00 00 00") { $0.fixed32Values = [1, 2] },
    Row("42 08 01 00 00 00 00 00 00 00") { $0.fixed64Values = [1] },
    Row("4a 04 ff ff ff ff") { $0.sfixed32Values = [-1] },
    Row("52 08 ff ff ff ff ff ff ff ff") { $0.sfixed64Values = [-1] },
    Row("5a 08 00 00 80 3f 00 00 00 00") { $0.floatValues = [1, 0] },
    Row("62 08 00 00 00 00 00 00 f0 3f") { $0.doubleValues = [1] },
    Row("6a 02 01 00") { $0.boolValues = [true, false] },
    Row("72 01 61 72 00 72 01 62") { $0.stringValues = ["a", "", "b"] },
    Row("7a 01 61 7a 00") { $0.bytesValues = [[0x61], []] },
    Row("82 01 02 01 07") { $0.colors = [.red, .UNRECOGNIZED(7)] },
    Row("8a 01 02 08 01 8a 01 00") { $0.children = [.with { $0.int32Value = 1 }, .init()] },
    Row("90 01 01 90 01 02") { $0.unpackedValues = [1, 2] },
  ]

  @Test(arguments: rows)
  func writes(_ row: Row) throws {
    let bytes: [UInt8] = try row.message.serializedBytes()
    #expect(bytes == hex(row.wire))
  }

  @Test(arguments: rows)
  func reads(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryRepeated(serializedBytes: hex(row.wire)) == row.message)
  }

  @Test(arguments: [
    // Unpacked, packed where it is declared otherwise, and both mixed with other fields between.
    ("08 01 08 02 08 03", [1, 2, 3] as [Int32]),
    ("0a 02 01 02 08 03", [1, 2, 3]),
    ("08 01 72 01 61 0a 02 02 03", [1, 2, 3]),
    ("0a 00", []),
  ])
  func readsEitherPacking(wire: String, values: [Int32]) throws {
    #expect(try Swiftkart_Test_EveryRepeated(serializedBytes: hex(wire)).int32Values == values)
  }

  @Test func readsPackedWhereUnpackedIsDeclared() throws {
    let message = try Swiftkart_Test_EveryRepeated(serializedBytes: hex("92 01 02 01 02"))
    #expect(message.unpackedValues == [1, 2])
  }

  @Test func allocatesRepeatedFieldsOnce() throws {
    let message = Swiftkart_Test_EveryRepeated.with {
      $0.stringValues = (0..<1000).map { "\($0)" }
      $0.int32Values = (0..<1000).map { $0 * 77 }
      $0.unpackedValues = (0..<1000).map { $0 * 77 }
      $0.children = (0..<1000).map { number in .with { $0.int32Value = number } }
    }
    let read = try Swiftkart_Test_EveryRepeated(
      serializedBytes: message.serializedBytes() as [UInt8])
    #expect(read == message)
    // An array that grew by appending would have up to twice the room.
    for capacity in [
      read.stringValues.capacity, read.int32Values.capacity, read.unpackedValues.capacity,
      read.children.capacity,
    ] {
      #expect(capacity < 1100)
    }
  }

  /// Varints are written a word or a byte at a time, depending on the room before them.
  @Test func varintsOfEveryLengthGoRound() throws {
    let values = (0..<64).flatMap { bit in
      [1 << bit, (1 << bit) - 1, .max - (1 << bit)] as [UInt64]
    }
    for count in 1...values.count {
      let message = Swiftkart_Test_EveryRepeated.with {
        $0.uint64Values = Array(values[..<count])
      }
      let bytes: [UInt8] = try message.serializedBytes()
      #expect(try Swiftkart_Test_EveryRepeated(serializedBytes: bytes) == message)
    }
    for value in values {
      let message = Swiftkart_Test_EveryType.with { $0.uint64Value = value }
      let bytes: [UInt8] = try message.serializedBytes()
      #expect(try Swiftkart_Test_EveryType(serializedBytes: bytes) == message)
    }
  }

  @Test func mapsOfEveryKeyGoRound() throws {
    let message = Swiftkart_Test_EveryMap.with {
      $0.int32Keys = [-1: "a", 0: "", .max: "b"]
      $0.int64Keys = [.min: 1.5]
      $0.uint32Keys = [.max: [1, 2]]
      $0.uint64Keys = [.max: .red, 1: .UNRECOGNIZED(9)]
      $0.sint32Keys = [-5: true, 5: false]
      $0.sint64Keys = [-5: -6]
      $0.fixed32Keys = [7: 8]
      $0.fixed64Keys = [7: 1.25]
      $0.sfixed32Keys = [-7: 8]
      $0.sfixed64Keys = [-7: 8]
      $0.boolKeys = [true: 1, false: 0]
      $0.stringKeys = ["k": .with { $0.int32Value = 1 }, "": .init()]
    }
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(try Swiftkart_Test_EveryMap(serializedBytes: bytes) == message)
  }

  @Test(arguments: [
    ("0a 05 08 01 12 01 61", [1: "a"] as [Int32: String]),
    // Value before key, no key, no value, nothing at all.
    ("0a 05 12 01 61 08 01", [1: "a"]),
    ("0a 03 12 01 61", [0: "a"]),
    ("0a 02 08 01", [1: ""]),
    ("0a 00", [0: ""]),
    // A field that entries do not have, and a key twice: the last entry counts.
    ("0a 07 08 01 12 01 61 18 05", [1: "a"]),
    ("0a 05 08 01 12 01 61 0a 05 08 01 12 01 62", [1: "b"]),
  ])
  func readsMapEntries(wire: String, entries: [Int32: String]) throws {
    #expect(try Swiftkart_Test_EveryMap(serializedBytes: hex(wire)).int32Keys == entries)
  }

  /// Two bytes make an entry, and all of these have one key.
  @Test func mapsReserveNoMoreThanTheyMayNeed() throws {
    let wire = [[UInt8]](repeating: hex("62 00"), count: 100_000)
    let read = try Swiftkart_Test_EveryMap(serializedBytes: Array(wire.joined()))
    #expect(read.stringKeys == ["": .init()])
    #expect(read.stringKeys.capacity < 4096)
  }

  @Test func deterministicOrderSortsKeys() throws {
    let message = Swiftkart_Test_EveryMap.with {
      $0.int32Keys = Dictionary(uniqueKeysWithValues: (-20...20).map { ($0, "") })
      $0.boolKeys = [true: 1, false: 0]
    }
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    let bytes: [UInt8] = try message.serializedBytes(options: options)
    #expect(
      bytes.starts(with: hex("0a 0d 08 ec ff ff ff ff ff ff ff ff 01 12 00")))
    #expect(bytes.suffix(12) == hex("5a 04 08 00 10 00 5a 04 08 01 10 01")[...])
  }
}
