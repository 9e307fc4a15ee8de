import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Texts that are no message: each is an error that names the field and the place.
@Suite struct MalformedTextTests {
  typealias Code = TextFormatDecodingError.Code

  @Test(arguments: [
    ("int32_value 1", Code.malformedText, "int32_value", 12),
    ("int32_value: ", .typeMismatch(expected: "a number"), "int32_value", 13),
    ("int32_value: 2147483648", .numberRange, "int32_value", 13),
    ("uint32_value: -1", .numberRange, "uint32_value", 14),
    ("int32_value: 1.5", .typeMismatch(expected: "an integer"), "int32_value", 13),
    ("int32_value: 09", .malformedNumber, "int32_value", 13),
    ("int32_value: 0x", .malformedNumber, "int32_value", 13),
    ("int32_value: 1a", .malformedNumber, "int32_value", 13),
    ("int32_value: \"1\"", .typeMismatch(expected: "a number"), "int32_value", 13),
    ("double_value: 1e", .malformedNumber, "double_value", 14),
    ("double_value: .", .malformedNumber, "double_value", 14),
    ("double_value: 0x1", .typeMismatch(expected: "a decimal number"), "double_value", 14),
    ("double_value: one", .typeMismatch(expected: "a number"), "double_value", 14),
    ("bool_value: yes", .typeMismatch(expected: "true or false"), "bool_value", 12),
    ("bool_value: 2", .typeMismatch(expected: "true or false"), "bool_value", 12),
    ("string_value: \"a", .malformedString, "string_value", 14),
    ("string_value: \"a\nb\"", .malformedString, "string_value", 14),
    ("string_value: \"a'", .malformedString, "string_value", 14),
    (#"string_value: "\y""#, .malformedString, "string_value", 15),
    (#"string_value: "\x""#, .malformedString, "string_value", 15),
    (#"string_value: "\u12""#, .malformedString, "string_value", 15),
    (#"string_value: "\ud83d\ude00""#, .invalidUTF8, "string_value", 15),
    (#"string_value: "\U00110000""#, .invalidUTF8, "string_value", 15),
    (#"string_value: "\777""#, .malformedString, "string_value", 15),
    (#"string_value: "\377""#, .invalidUTF8, "string_value", 14),
    ("string_value: x", .typeMismatch(expected: "a string"), "string_value", 14),
    ("color: BLUE", .unknownEnumValue("BLUE"), "color", 7),
    ("child { int32_value: x }", .typeMismatch(expected: "a number"), "child.int32_value", 21),
    ("child {", .malformedText, "child", 7),
    ("child { >", .malformedText, "child", 8),
    ("child: 1", .typeMismatch(expected: "a message"), "child", 7),
    ("int32Value: 1", .unknownField("int32Value"), "", 0),
    ("int32_value: 1 int32_value: 1", .duplicateField, "int32_value", 15),
    ("int32_value: [1]", .typeMismatch(expected: "a number"), "int32_value", 13),
    ("1: 1", .malformedText, "", 0),
    ("[x.y]: 1", .unknownExtension("x.y"), "", 0),
    ("[x.y/z]: {}", .unknownField("[x.y/z]"), "", 0),
    ("int32_value: 1,,", .malformedText, "", 15),
    ("}", .malformedText, "", 0),
  ])
  func failsWhereItIsWrong(text: String, code: Code, path: String, offset: Int) {
    let error = #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_EveryType(textFormatString: text)
    }
    #expect(error?.code == code)
    #expect(error?.path == path)
    #expect(error?.byteOffset == offset)
  }

  @Test(arguments: [
    "int32_values: [1,]", "int32_values: [1", "int32_values: [1 2]", "children: [1]",
  ])
  func failsInLists(text: String) {
    #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_EveryRepeated(textFormatString: text)
    }
  }

  @Test func refusesASecondMemberOfAOneof() {
    let error = #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_EveryOneof(textFormatString: "text: 'a' color: COLOR_RED")
    }
    #expect(error?.code == .conflictingOneOf)
    #expect(error?.byteOffset == 10)
  }

  @Test func refusesWhatLacksARequiredField() {
    let error = #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_Legacy(textFormatString: "name: 'a'")
    }
    #expect(error?.code == .missingRequiredFields)
  }

  @Test func limitsTheDepth() throws {
    let text =
      String(repeating: "child {", count: 99) + String(repeating: "}", count: 99)
    _ = try Swiftkart_Test_EveryType(textFormatString: text)
    let error = #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_EveryType(textFormatString: "child {\(text)}")
    }
    #expect(error?.code == .messageDepthLimit)
  }
}
