import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// What unset fields read as.
@Suite struct DefaultValueTests {
  private let unset = Swiftkart_Test_Defaults()

  @Test func integersReadTheirDefaults() {
    #expect(unset.int32Value == .min)
    #expect(unset.int64Value == .min)
    #expect(unset.uint32Value == .max)
    #expect(unset.uint64Value == .max)
    #expect(unset.sint32Value == -1)
    #expect(unset.sint64Value == -2)
    #expect(unset.fixed32Value == 3)
    #expect(unset.fixed64Value == 4)
    #expect(unset.sfixed32Value == -5)
    #expect(unset.sfixed64Value == -6)
  }

  @Test func floatingPointNumbersReadTheirDefaults() {
    #expect(unset.floatValue == .leastNormalMagnitude)
    #expect(unset.doubleValue == -.greatestFiniteMagnitude)
    #expect(unset.infinity == .infinity)
    #expect(unset.minusInfinity == -.infinity)
    #expect(unset.notANumber.isNaN)
    #expect(unset.minusZero == 0 && unset.minusZero.sign == .minus)
  }

  @Test func everythingElseReadsItsDefault() {
    #expect(unset.boolValue)
    #expect(unset.stringValue == "\"tab\\t\" \t\r\n\u{1}é🏎\\")
    #expect(unset.bytesValue == [0, 1, 0xfe, 0xff] + Array("\"'\\?a\n".utf8))
    #expect(unset.signal == .lowest)
    #expect(unset.empty.isEmpty)
    #expect(Swiftkart_Test_Features().implicitGear == .second)
  }

  @Test func nothingOfItIsWritten() throws {
    #expect(try unset.serializedBytes() == [])
    #expect(try unset.jsonString() == "{}")
    // Set to its default, a field with explicit presence is there.
    let set = Swiftkart_Test_Defaults.with {
      $0.boolValue = true
      $0.empty = ""
    }
    #expect(try set.serializedBytes() == hex("68 01 aa 01 00"))
    #expect(set != unset)
    #expect(!unset.hasBoolValue && set.hasBoolValue)
  }

  @Test func aMemberOfAOneofReadsItsDefault() {
    #expect(Swiftkart_Test_Choices().defaulted == "chosen")
    #expect(Swiftkart_Test_Choices.with { $0.int32Value = 1 }.defaulted == "chosen")
    #expect(Swiftkart_Test_Choices.with { $0.defaulted = "" }.defaulted == "")
  }
}
