import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// A closed enum's unknown numbers are unknown fields, wherever they are.
@Suite struct ClosedEnumTests {
  private func legacy(_ numbers: Swiftkart_Test_LegacyNumbers) throws -> Swiftkart_Test_Legacy {
    try Swiftkart_Test_Legacy(serializedBytes: numbers.serializedBytes() as [UInt8])
  }

  @Test func knownNumbersAreValues() throws {
    let message = try legacy(
      .with {
        $0.id = 1
        $0.level = 1
        $0.levels = [1, 2]
        $0.packedLevels = [2, 0]
        $0.levelByName = ["a": 2]
      })
    #expect(message.level == .low)
    #expect(message.levels == [.low, .high])
    #expect(message.packedLevels == [.high, .none])
    #expect(message.levelByName == ["a": .high])
    #expect(message.unknownFields.isEmpty)
  }

  @Test func unknownNumbersAreKept() throws {
    let numbers = Swiftkart_Test_LegacyNumbers.with {
      $0.id = 1
      $0.level = 9
      $0.levels = [1, 9, -2]
      $0.packedLevels = [2, 300]
      $0.levelByName = ["a": 2, "b": 9]
      $0.oneLevel = 9
    }
    let message = try legacy(numbers)
    #expect(!message.hasLevel)
    #expect(message.level == .high)
    #expect(message.levels == [.low])
    #expect(message.packedLevels == [.high])
    #expect(message.levelByName == ["a": .high])
    #expect(message.one == nil)
    // Nothing is lost, though the known elements come first now.
    let back = try Swiftkart_Test_LegacyNumbers(
      serializedBytes: message.serializedBytes() as [UInt8])
    #expect(back.level == 9)
    #expect(back.levels == [1, 9, -2])
    #expect(back.packedLevels == [2, 300])
    #expect(back.levelByName == ["a": 2, "b": 9])
    #expect(back.oneLevel == 9)
  }

  @Test func extensionsAreKeptAsUnknownFields() throws {
    let message = try legacy(
      .with {
        $0.id = 1
        $0.extension = "kept"
      })
    #expect(message.unknownFields.data == hex("a2 06 04 6b 65 70 74"))
  }

  @Test func openEnumsHoldEveryNumber() {
    #expect(Swiftkart_Test_Color(rawValue: 5) == .UNRECOGNIZED(5))
    #expect(Swiftkart_Test_Color(rawValue: -1) == .infrared)
    #expect(Swiftkart_Test_Color.UNRECOGNIZED(5).rawValue == 5)
    #expect(Swiftkart_Test_Color.allCases == [.none, .red, .green, .infrared])
    #expect(Swiftkart_Test_Level(rawValue: 5) == nil)
    #expect(Swiftkart_Test_Color.red.name == "COLOR_RED")
    #expect(Swiftkart_Test_Color.UNRECOGNIZED(5).name == nil)
    #expect(Swiftkart_Test_Color(name: "COLOR_GREEN") == .green)
  }
}
