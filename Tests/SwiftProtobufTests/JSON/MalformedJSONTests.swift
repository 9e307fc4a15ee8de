import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Texts that are no message: each is an error that names the field and the place.
@Suite struct MalformedJSONTests {
  typealias Code = JSONDecodingError.Code

  @Test(arguments: [
    ("", Code.typeMismatch(expected: "an object"), "", 0),
    ("[]", .typeMismatch(expected: "an object"), "", 0),
    ("{", .typeMismatch(expected: "a string"), "", 1),
    ("{}x", .malformedJSON, "", 2),
    (#"{"int32Value":1"#, .malformedJSON, "", 15),
    (#"{"int32Value" 1}"#, .malformedJSON, "", 14),
    (#"{"int32Value":1,}"#, .typeMismatch(expected: "a string"), "", 16),
    (#"{"int32Value":}"#, .malformedJSON, "int32Value", 14),
    (#"{"int32Value":01}"#, .malformedJSON, "int32Value", 16),
    (#"{"int32Value":-}"#, .malformedJSON, "int32Value", 15),
    (#"{"int32Value":1.}"#, .malformedJSON, "int32Value", 16),
    (#"{"int32Value":1.5}"#, .numberRange, "int32Value", 14),
    (#"{"int32Value":2147483648}"#, .numberRange, "int32Value", 14),
    (#"{"uint32Value":-1}"#, .numberRange, "uint32Value", 15),
    (#"{"int32Value":" 1"}"#, .typeMismatch(expected: "a number"), "int32Value", 15),
    (#"{"int32Value":"1 "}"#, .typeMismatch(expected: "a number"), "int32Value", 16),
    (#"{"int32Value":true}"#, .typeMismatch(expected: "a number"), "int32Value", 14),
    (#"{"floatValue":3.5e38}"#, .numberRange, "floatValue", 14),
    (#"{"doubleValue":1e999}"#, .numberRange, "doubleValue", 15),
    (#"{"doubleValue":"inf"}"#, .typeMismatch(expected: "a number"), "doubleValue", 16),
    (#"{"boolValue":"true"}"#, .typeMismatch(expected: "true or false"), "boolValue", 13),
    (#"{"stringValue":5}"#, .typeMismatch(expected: "a string"), "stringValue", 15),
    (#"{"stringValue":"a"#, .malformedJSON, "stringValue", 17),
    ("{\"stringValue\":\"a\nb\"}", .malformedJSON, "stringValue", 17),
    (#"{"stringValue":"\x"}"#, .malformedJSON, "stringValue", 16),
    (#"{"stringValue":"\ud800"}"#, .invalidUTF8, "stringValue", 22),
    (#"{"stringValue":"\udc00"}"#, .invalidUTF8, "stringValue", 22),
    (#"{"bytesValue":"a"}"#, .malformedBase64, "bytesValue", 14),
    (#"{"bytesValue":"a*=="}"#, .malformedBase64, "bytesValue", 14),
    (#"{"color":"BLUE"}"#, .unknownEnumValue("BLUE"), "color", 9),
    (#"{"other":1}"#, .unknownField("other"), "", 1),
    (#"{"int32Value":1,"int32_value":2}"#, .duplicateField("int32Value"), "", 16),
    (#"{"int32Value":""}"#, .typeMismatch(expected: "a number"), "int32Value", 15),
    (#"{"int32Value":""#, .malformedJSON, "int32Value", 15),
    (
      #"{"child":{"child":{"int32Value":"x"}}}"#, .typeMismatch(expected: "a number"),
      "child.child.int32Value", 33
    ),
  ])
  func failsWhereItIsWrong(json: String, code: Code, path: String, offset: Int) {
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_EveryType(jsonString: json)
    }
    #expect(error?.code == code)
    #expect(error?.path == path)
    #expect(error?.byteOffset == offset)
  }

  @Test(arguments: [
    (#"{"int32Values":5}"#, Code.typeMismatch(expected: "an array"), "int32Values"),
    (#"{"int32Values":[1,null]}"#, .illegalNull, "int32Values[1]"),
    (#"{"int32Values":[1,]}"#, .malformedJSON, "int32Values[1]"),
    (#"{"int32Values":[1 2]}"#, .malformedJSON, "int32Values"),
    (#"{"children":[{},{"color":"x"}]}"#, .unknownEnumValue("x"), "children[1].color"),
  ])
  func failsInArrays(json: String, code: Code, path: String) {
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_EveryRepeated(jsonString: json)
    }
    #expect(error?.code == code)
    #expect(error?.path == path)
  }

  @Test(arguments: [
    (#"{"int32Keys":{"a":"b"}}"#, Code.typeMismatch(expected: "a number")),
    (#"{"int32Keys":{"1":null}}"#, .illegalNull),
    (#"{"int32Keys":{"1":"a","1":"b"}}"#, .duplicateField("1")),
    (#"{"boolKeys":{"yes":1}}"#, .typeMismatch(expected: "\"true\" or \"false\"")),
    (#"{"boolKeys":[]}"#, .typeMismatch(expected: "an object")),
  ])
  func failsInMaps(json: String, code: Code) {
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_EveryMap(jsonString: json)
    }
    #expect(error?.code == code)
  }

  /// An escaped backslash begins no escape, however often it is made of another: each time it would
  /// be read again, and such readings in each other end the stack.
  @Test(arguments: [(#"\\"#, 0), (#"\u005c"#, 200_000)])
  func escapesAreReadOnce(backslash: String, count: Int) {
    let text = backslash + String(repeating: "u005c", count: count) + "u0031"
    func code<M: Message>(_ type: M.Type, _ json: String) -> Code? {
      #expect(throws: JSONDecodingError.self) { try M(jsonString: json) }?.code
    }
    #expect(
      code(Swiftkart_Test_EveryType.self, "{\"int32Value\":\"\(text)\"}")
        == .typeMismatch(expected: "a number"))
    #expect(
      code(Swiftkart_Test_EveryType.self, "{\"doubleValue\":\"\(text)\"}")
        == .typeMismatch(expected: "a number"))
    #expect(
      code(Swiftkart_Test_EveryMap.self, "{\"boolKeys\":{\"\(text)\":1}}")
        == .typeMismatch(expected: "\"true\" or \"false\""))
  }

  @Test func twoMembersOfAOneofConflict() throws {
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_EveryOneof(jsonString: #"{"text":"a","color":"COLOR_RED"}"#)
    }
    #expect(error?.code == .conflictingOneOf)
    // null sets no member, except where it is a value.
    let text = try Swiftkart_Test_EveryOneof(jsonString: #"{"text":"a","color":null}"#)
    #expect(text.choice == .text("a"))
    let null = try Swiftkart_Test_EveryOneof(jsonString: #"{"null":null}"#)
    #expect(null.choice == .null(.nullValue))
  }

  @Test func invalidUTF8IsAnError() {
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_EveryType(
        jsonUTF8Bytes: Array("{\"stringValue\":\"".utf8) + [0xff] + Array("\"}".utf8))
    }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.byteOffset == 16)
  }

  @Test func nestingIsLimited() {
    let arrays = String(repeating: "[", count: 100_000)
    for json in ["{\"value\":\(arrays)", "{\"list\":\(arrays)"] {
      let error = #expect(throws: JSONDecodingError.self) {
        try Swiftkart_Test_EveryWellKnown(jsonString: json)
      }
      #expect(error?.code == .messageDepthLimit)
    }
    var options = JSONDecodingOptions()
    options.ignoreUnknownFields = true
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_EveryType(jsonString: "{\"x\":\(arrays)", options: options)
    }
    #expect(error?.code == .messageDepthLimit)
  }

  @Test func everyPrefixIsAnError() throws {
    let json = #"{"int32Value":-1.5e0,"stringValue":"a\u00e9\n","color":"COLOR_RED","child":{}}"#
    for count in 0..<json.utf8.count {
      #expect(throws: JSONDecodingError.self) {
        try Swiftkart_Test_EveryType(jsonUTF8Bytes: Array(json.utf8.prefix(count)))
      }
    }
  }

  @Test func requiredFieldsAreRequired() throws {
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_Legacy(jsonString: "{}")
    }
    #expect(error?.code == .missingRequiredFields)
    #expect(try Swiftkart_Test_Legacy(jsonString: #"{"id":1}"#).id == 1)
  }

  @Test func errorsReadAsSentences() throws {
    let error = #expect(throws: JSONDecodingError.self) {
      try ListRacesResponse(jsonString: #"{"races":[{},{"startTime":"today"}]}"#)
    }
    #expect(
      "\(try #require(error))"
        == #"races[1].startTime: not a time as in "2026-06-08T10:00:00Z" (at byte 26)"#)
  }
}
