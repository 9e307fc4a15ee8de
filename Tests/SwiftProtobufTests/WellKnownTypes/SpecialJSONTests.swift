import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// The well-known types' own forms in ProtoJSON, as fields.
@Suite struct SpecialJSONTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let json: String
    let message: Swiftkart_Test_EveryWellKnown
    var testDescription: String { json }

    init(_ json: String, _ populate: (inout Swiftkart_Test_EveryWellKnown) throws -> Void) rethrows
    {
      self.json = json
      message = try .with(populate)
    }
  }

  static let rows: [Row] = [
    Row(#"{"fieldMask":"startTime,race.startTime"}"#) {
      $0.fieldMask.paths = ["start_time", "race.start_time"]
    },
    Row(#"{"fieldMask":""}"#) { $0.fieldMask = .init() },
    Row(#"{"struct":{"a":[1,"b",true,null,{"c":1.5}]}}"#) {
      $0.struct = ["a": .init(listValue: [1, "b", true, nil, .init(structValue: ["c": 1.5])])]
    },
    Row(#"{"struct":{}}"#) { $0.struct = [:] },
    Row(#"{"value":null}"#) { $0.value = nil },
    Row(#"{"value":"text"}"#) { $0.value = "text" },
    Row(#"{"list":[[],{}]}"#) {
      $0.list = [.init(listValue: []), .init(structValue: [:])]
    },
    Row(#"{"int64Wrapper":"5"}"#) { $0.int64Wrapper = 5 },
    Row(#"{"int64Wrapper":"0"}"#) { $0.int64Wrapper = 0 },
    Row(#"{"stringWrapper":""}"#) { $0.stringWrapper = "" },
    Row(#"{"bytesWrapper":"YQ=="}"#) { $0.bytesWrapper = .init([0x61]) },
    Row(#"{"boolWrapper":false}"#) { $0.boolWrapper = false },
    Row(#"{"values":[null,1]}"#) { $0.values = [nil, 1] },
    Row(#"{"any":{}}"#) { $0.any = .init() },
    Row(#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.500s"}}"#) {
      $0.any.typeURL = "type.googleapis.com/google.protobuf.Duration"
      $0.any.value = hex("08 01 10 80 ca b5 ee 01")
    },
    Row(#"{"any":{"@type":"type.googleapis.com/google.protobuf.Empty"}}"#) {
      $0.any.typeURL = "type.googleapis.com/google.protobuf.Empty"
    },
  ]

  @Test(arguments: rows)
  func writes(_ row: Row) throws {
    #expect(try row.message.jsonString() == row.json)
  }

  @Test(arguments: rows)
  func reads(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryWellKnown(jsonString: row.json) == row.message)
  }

  @Test func nullUnsetsWhatItIsNoValueOf() throws {
    let message = try Swiftkart_Test_EveryWellKnown(
      jsonString: #"{"int64Wrapper":null,"timestamp":null,"struct":null,"nullValue":null}"#)
    #expect(message == .init())
  }

  @Test func nullIsAValueWhateverTheEncoding() throws {
    let message = Swiftkart_Test_DelimitedValues.with {
      $0.value = nil
      $0.values = [nil, 1]
    }
    let json = #"{"value":null,"values":[null,1]}"#
    #expect(try message.jsonString() == json)
    let read = try Swiftkart_Test_DelimitedValues(jsonString: json)
    #expect(read == message)
    #expect(read.hasValue)
  }

  @Test(arguments: ["a_b", "A", "aB,,c", "é"])
  func malformedFieldMasks(mask: String) {
    let error = #expect(throws: JSONDecodingError.self) {
      try Google_Protobuf_FieldMask(jsonString: "\"\(mask)\"")
    }
    #expect(error?.code == .malformedFieldMask)
  }

  @Test(arguments: ["aB", "a__b", "a_", "a_1"])
  func fieldMasksWithoutAForm(path: String) {
    let mask = Google_Protobuf_FieldMask.with { $0.paths = [path] }
    #expect(throws: JSONEncodingError.invalidFieldMask(path: path)) { try mask.jsonString() }
  }

  @Test func valuesWithoutAForm() {
    #expect(throws: JSONEncodingError.invalidValue) { try Google_Protobuf_Value().jsonString() }
    #expect(throws: JSONEncodingError.invalidValue) {
      try Google_Protobuf_Value(numberValue: .nan).jsonString()
    }
  }
}
