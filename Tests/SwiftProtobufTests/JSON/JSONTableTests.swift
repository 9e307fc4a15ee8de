import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// ProtoJSON of every kind of field, both ways.
@Suite struct JSONTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let json: String
    let message: Swiftkart_Test_EveryType
    var testDescription: String { json }

    init(_ json: String, _ populate: (inout Swiftkart_Test_EveryType) -> Void) {
      self.json = json
      message = .with(populate)
    }
  }

  static let rows: [Row] = [
    Row("{}") { _ in },
    Row(#"{"int32Value":-2147483648}"#) { $0.int32Value = .min },
    Row(#"{"int64Value":"9223372036854775807"}"#) { $0.int64Value = .max },
    Row(#"{"uint32Value":4294967295}"#) { $0.uint32Value = .max },
    Row(#"{"uint64Value":"18446744073709551615"}"#) { $0.uint64Value = .max },
    Row(#"{"sint64Value":"-1"}"#) { $0.sint64Value = -1 },
    Row(#"{"fixed64Value":"7"}"#) { $0.fixed64Value = 7 },
    Row(#"{"floatValue":0.1}"#) { $0.floatValue = 0.1 },
    Row(#"{"floatValue":16777216}"#) { $0.floatValue = 16_777_216 },
    Row(#"{"doubleValue":1.5}"#) { $0.doubleValue = 1.5 },
    Row(#"{"doubleValue":-0.0}"#) { $0.doubleValue = -0.0 },
    Row(#"{"doubleValue":1e+100}"#) { $0.doubleValue = 1e100 },
    Row(#"{"doubleValue":5e-324}"#) { $0.doubleValue = .leastNonzeroMagnitude },
    Row(#"{"doubleValue":"Infinity"}"#) { $0.doubleValue = .infinity },
    Row(#"{"doubleValue":"-Infinity"}"#) { $0.doubleValue = -.infinity },
    Row(#"{"boolValue":true}"#) { $0.boolValue = true },
    Row(#"{"stringValue":"a\"b\\c\n\t\u0001é😀/"}"#) { $0.stringValue = "a\"b\\c\n\t\u{1}é😀/" },
    Row(#"{"bytesValue":"AP+A"}"#) { $0.bytesValue = [0, 255, 128] },
    Row(#"{"bytesValue":"YQ=="}"#) { $0.bytesValue = [0x61] },
    Row(#"{"color":"COLOR_GREEN"}"#) { $0.color = .green },
    Row(#"{"color":9}"#) { $0.color = .UNRECOGNIZED(9) },
    Row(#"{"child":{"child":{}}}"#) { $0.child.child = .init() },
  ]

  @Test(arguments: rows)
  func writes(_ row: Row) throws {
    #expect(try row.message.jsonString() == row.json)
  }

  @Test(arguments: rows)
  func reads(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryType(jsonString: row.json) == row.message)
  }

  @Test(arguments: [
    // Names of the .proto file, white space, escapes.
    Row(#" { "int32_value" : 5 } "#) { $0.int32Value = 5 },
    Row("\t{\r\n\"int32Value\":5}\n") { $0.int32Value = 5 },
    Row(#"{"\u0069nt32Value":5}"#) { $0.int32Value = 5 },
    Row(#"{"stringValue":"\u00e9\ud83d\ude00\/\b\f\r"}"#) {
      $0.stringValue = "é😀/\u{8}\u{c}\r"
    },
    // Integers in quotes, with exponents and without fractions.
    Row(#"{"int32Value":"-5"}"#) { $0.int32Value = -5 },
    Row(#"{"int32Value":1e3}"#) { $0.int32Value = 1000 },
    Row(#"{"int32Value":5.0}"#) { $0.int32Value = 5 },
    Row(#"{"int64Value":5}"#) { $0.int64Value = 5 },
    Row(#"{"uint64Value":18446744073709551615}"#) { $0.uint64Value = .max },
    Row(#"{"doubleValue":"1.5e1"}"#) { $0.doubleValue = 15 },
    // Escapes mean what they stand for in numbers too.
    Row(#"{"int32Value":"2\u0031"}"#) { $0.int32Value = 21 },
    Row(#"{"doubleValue":"\u0031.5"}"#) { $0.doubleValue = 1.5 },
    Row(#"{"floatValue":"Infinit\u0079"}"#) { $0.floatValue = .infinity },
    // null is unset, also for messages and enums.
    Row(#"{"int32Value":null,"child":null,"color":null,"stringValue":null}"#) { _ in },
    // base64 of both alphabets, with and without padding.
    Row(#"{"bytesValue":"-_-_"}"#) { $0.bytesValue = [0xfb, 0xff, 0xbf] },
    Row(#"{"bytesValue":"+/+/"}"#) { $0.bytesValue = [0xfb, 0xff, 0xbf] },
    Row(#"{"bytesValue":"YQ"}"#) { $0.bytesValue = [0x61] },
    Row(#"{"color":1}"#) { $0.color = .red },
  ])
  func readsLoosely(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryType(jsonString: row.json) == row.message)
  }

  @Test func notANumberGoesRound() throws {
    let message = Swiftkart_Test_EveryType.with { $0.floatValue = .nan }
    #expect(try message.jsonString() == #"{"floatValue":"NaN"}"#)
    #expect(try Swiftkart_Test_EveryType(jsonString: message.jsonString()).floatValue.isNaN)
  }

  @Test func repeatedFieldsAreArrays() throws {
    let message = Swiftkart_Test_EveryRepeated.with {
      $0.int32Values = [1, -2]
      $0.int64Values = [3]
      $0.stringValues = ["a", ""]
      $0.colors = [.red, .UNRECOGNIZED(9)]
      $0.children = [.init(), .with { $0.int32Value = 1 }]
    }
    let json =
      #"{"int32Values":[1,-2],"int64Values":["3"],"stringValues":["a",""],"#
      + #""colors":["COLOR_RED",9],"children":[{},{"int32Value":1}]}"#
    #expect(try message.jsonString() == json)
    #expect(try Swiftkart_Test_EveryRepeated(jsonString: json) == message)
    #expect(
      try Swiftkart_Test_EveryRepeated(jsonString: #"{"int32Values":[],"colors":null}"#)
        == .init())
  }

  @Test func mapsAreObjects() throws {
    let message = Swiftkart_Test_EveryMap.with {
      $0.int32Keys = [-1: "a", 2: "b"]
      $0.uint64Keys = [1: .red]
      $0.boolKeys = [true: 1, false: 0]
      $0.stringKeys = ["k": .with { $0.boolValue = true }]
    }
    var options = JSONEncodingOptions()
    options.useDeterministicOrdering = true
    let json =
      #"{"int32Keys":{"-1":"a","2":"b"},"uint64Keys":{"1":"COLOR_RED"},"#
      + #""boolKeys":{"false":0,"true":1},"stringKeys":{"k":{"boolValue":true}}}"#
    #expect(try message.jsonString(options: options) == json)
    #expect(try Swiftkart_Test_EveryMap(jsonString: json) == message)
  }

  @Test func theContractsRaceReadsWell() throws {
    let race = Race.with {
      $0.name = "Finite Loops"
      $0.startTime = Google_Protobuf_Timestamp(seconds: 1_781_042_400)
      $0.laps = 0
      $0.drivers = ["Monty"]
    }
    let json =
      #"{"name":"Finite Loops","startTime":"2026-06-09T22:00:00Z","laps":0,"drivers":["Monty"]}"#
    #expect(try race.jsonString() == json)
    #expect(try Race(jsonString: json) == race)
  }

  @Test func encodingOptions() throws {
    let message = Swiftkart_Test_EveryType.with {
      $0.int64Value = 5
      $0.color = .red
    }
    var options = JSONEncodingOptions()
    options.preserveProtoFieldNames = true
    options.alwaysPrintInt64sAsNumbers = true
    options.alwaysPrintEnumsAsInts = true
    #expect(try message.jsonString(options: options) == #"{"int64_value":5,"color":1}"#)
  }

  @Test func unknownFieldsAndEnumsCanBeIgnored() throws {
    var options = JSONDecodingOptions()
    options.ignoreUnknownFields = true
    let json =
      #"{"other":{"a":[1,{"b":null}],"c":"\n"},"int32Value":1,"color":"COLOR_NEW","x":-1.5e3}"#
    #expect(
      try Swiftkart_Test_EveryType(jsonString: json, options: options)
        == .with { $0.int32Value = 1 })
    #expect(
      try Swiftkart_Test_EveryRepeated(
        jsonString: #"{"colors":["COLOR_NEW","COLOR_RED"]}"#, options: options
      ).colors == [.red])
  }

  @Test func readsEscapedKeys() throws {
    let json = #"{"boolKeys":{"tr\u0075e":1},"int32Keys":{"\u0031":"x"}}"#
    let message = try Swiftkart_Test_EveryMap(jsonString: json)
    #expect(message.boolKeys == [true: 1])
    #expect(message.int32Keys == [1: "x"])
  }

  @Test func readsAndWritesArraysOfMessages() throws {
    let messages = [Swiftkart_Test_SomeTypes(), .with { $0.int32Value = 1 }]
    let json = try Swiftkart_Test_SomeTypes.jsonString(from: messages)
    #expect(json == #"[{},{"int32Value":1}]"#)
    #expect(try Swiftkart_Test_SomeTypes.array(fromJSONString: json) == messages)
    let error = #expect(throws: JSONDecodingError.self) {
      try Swiftkart_Test_SomeTypes.array(fromJSONString: #"[{"int32Value":true}]"#)
    }
    #expect(error?.byteOffset == 15)
    #expect(error?.path == "[0].int32Value")
  }

  @Test func writesFieldsWithoutPresenceOnRequest() throws {
    var options = JSONEncodingOptions()
    options.alwaysPrintFieldsWithNoPresence = true
    #expect(try Swiftkart_Test_SomeTypes().jsonString(options: options) == #"{"int32Value":0}"#)
    #expect(
      try Swiftkart_Test_EveryOneof().jsonString(options: options) == #"{"before":0,"between":0}"#)
    #expect(try Swiftkart_Test_EveryOptional().jsonString(options: options) == "{}")
    let maps = try Swiftkart_Test_EveryMap().jsonString(options: options)
    #expect(maps.hasPrefix(#"{"int32Keys":{},"#))
    let repeated = try Swiftkart_Test_EveryRepeated().jsonString(options: options)
    #expect(repeated.hasPrefix(#"{"int32Values":[],"#))
  }
}
