import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// Extensions of every kind, in the message and on the wire.
@Suite struct ExtensionFieldTests {
  /// One extension: how it is set, and the bytes it then has.
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let wire: String
    let set: @Sendable (inout Swiftkart_Test_Extended) -> Void

    init(
      _ name: String, _ wire: String,
      _ set: @escaping @Sendable (inout Swiftkart_Test_Extended) -> Void
    ) {
      testDescription = name
      self.wire = wire
      self.set = set
    }
  }

  static let examples = [
    Example("int32", "10 ff ff ff ff ff ff ff ff ff 01") { $0.Swiftkart_Test_int32Ext = -1 },
    Example("int64", "18 80 01") { $0.Swiftkart_Test_int64Ext = 128 },
    Example("uint32", "20 ff ff ff ff 0f") { $0.Swiftkart_Test_uint32Ext = .max },
    Example("uint64", "28 00") { $0.Swiftkart_Test_uint64Ext = 0 },
    Example("sint32", "30 01") { $0.Swiftkart_Test_sint32Ext = -1 },
    Example("sint64", "38 03") { $0.Swiftkart_Test_sint64Ext = -2 },
    Example("fixed32", "45 01 00 00 00") { $0.Swiftkart_Test_fixed32Ext = 1 },
    Example("fixed64", "49 01 00 00 00 00 00 00 00") { $0.Swiftkart_Test_fixed64Ext = 1 },
    Example("sfixed32", "65 ff ff ff ff") { $0.Swiftkart_Test_sfixed32Ext = -1 },
    Example("sfixed64", "69 fe ff ff ff ff ff ff ff") { $0.Swiftkart_Test_sfixed64Ext = -2 },
    Example("float", "75 00 00 80 3f") { $0.Swiftkart_Test_floatExt = 1 },
    Example("double", "79 00 00 00 00 00 00 f0 3f") { $0.Swiftkart_Test_doubleExt = 1 },
    Example("bool", "80 01 01") { $0.Swiftkart_Test_boolExt = true },
    Example("string", "8a 01 02 68 69") { $0.Swiftkart_Test_stringExt = "hi" },
    Example("bytes", "92 01 02 00 ff") { $0.Swiftkart_Test_bytesExt = [0, 255] },
    Example("enum", "98 01 01") { $0.Swiftkart_Test_levelExt = .low },
    Example("message", "b2 01 02 08 05") { $0.Swiftkart_Test_messageExt.first = 5 },
    Example("group", "bb 01 08 05 bc 01") { $0.Swiftkart_Test_groupExt.value = 5 },
    Example("repeated", "a0 06 01 a0 06 02") { $0.Swiftkart_Test_int32SExt = [1, 2] },
    Example("packed", "aa 06 02 01 02") { $0.Swiftkart_Test_packedInt32SExt = [1, 2] },
    Example("strings", "b2 06 00 b2 06 01 61") { $0.Swiftkart_Test_stringsExt = ["", "a"] },
    Example("enums", "b8 06 00 b8 06 02") { $0.Swiftkart_Test_levelsExt = [.none, .high] },
    Example("packed enums", "c2 06 02 00 02") {
      $0.Swiftkart_Test_packedLevelsExt = [.none, .high]
    },
    Example("messages", "ca 06 00 ca 06 02 08 01") {
      $0.Swiftkart_Test_messagesExt = [.init(), .with { $0.first = 1 }]
    },
    Example("groups", "d3 06 08 01 d4 06 d3 06 d4 06") {
      $0.Swiftkart_Test_groupsExt = [.with { $0.value = 1 }, .init()]
    },
    Example("largest number", "f8 ff ff ff 0f 01") { $0.Swiftkart_Test_largestExt = 1 },
    Example("declared in a message", "c2 07 01 61") { $0.Swiftkart_Test_Extender_scopedExt = "a" },
    Example("called init", "d8 07 01") { $0.Swiftkart_Test_Extender_init = 1 },
    Example("called self", "e0 07 01") { $0.Swiftkart_Test_Extender_self = 1 },
    Example("called Type", "e8 07 01") { $0.Swiftkart_Test_Extender_type = 1 },
    Example("called Protocol", "f0 07 01") { $0.Swiftkart_Test_Extender_protocol = 1 },
    Example("declared deeper", "d2 07 00") {
      $0.Swiftkart_Test_Extender_Inner_deepExt = .init()
    },
  ]

  private let extensions = Swiftkart_Test_Extensions_Extensions

  @Test(arguments: examples)
  func goesOverTheWire(_ example: Example) throws {
    let message = Swiftkart_Test_Extended.with(example.set)
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(bytes == hex(example.wire))
    let read = try Swiftkart_Test_Extended(serializedBytes: bytes, extensions: extensions)
    #expect(read == message)
    #expect(read.hashValue == message.hashValue)
    #expect(read.unknownFields.isEmpty)
    #expect(read != .init())
  }

  @Test(arguments: examples)
  func isAnUnknownFieldToWhoDoesNotKnowIt(_ example: Example) throws {
    let read = try Swiftkart_Test_Extended(serializedBytes: hex(example.wire))
    #expect(read.unknownFields.data == hex(example.wire))
    #expect(try read.serializedBytes() == hex(example.wire))
  }

  @Test(arguments: examples)
  func goesThroughJSON(_ example: Example) throws {
    let message = Swiftkart_Test_Extended.with(example.set)
    let json = try message.jsonString()
    #expect(json.hasPrefix("{\"[swiftkart.test."))
    #expect(try Swiftkart_Test_Extended(jsonString: json, extensions: extensions) == message)
    #expect(throws: JSONDecodingError.self) { try Swiftkart_Test_Extended(jsonString: json) }
  }

  @Test func isSetAndUnset() {
    var message = Swiftkart_Test_Extended()
    #expect(!message.hasSwiftkart_Test_stringExt)
    #expect(message.Swiftkart_Test_stringExt == "none")
    #expect(message.Swiftkart_Test_int64Ext == -3)
    #expect(message.Swiftkart_Test_levelExt == .high)
    #expect(message.Swiftkart_Test_packedInt32SExt.isEmpty)
    message.Swiftkart_Test_stringExt = ""
    #expect(message.hasSwiftkart_Test_stringExt)
    #expect(message.Swiftkart_Test_stringExt == "")
    message.clearSwiftkart_Test_stringExt()
    #expect(message == .init())
    message.setExtensionValue(ext: Swiftkart_Test_Extensions_int32_ext, value: 3)
    #expect(message.hasExtensionValue(ext: Swiftkart_Test_Extensions_int32_ext))
    #expect(message.getExtensionValue(ext: Swiftkart_Test_Extensions_int32_ext) == 3)
    #expect(message.getExtensionValue(ext: Swiftkart_Test_Extensions_strings_ext) == [])
    message.clearExtensionValue(ext: Swiftkart_Test_Extensions_int32_ext)
    // A repeated field without elements is not set.
    message.Swiftkart_Test_stringsExt = []
    message.Swiftkart_Test_Extender_class = []
    #expect(message == .init())
  }

  /// Extensions lie between the fields by their numbers, also within a oneof.
  @Test func areWrittenInTheOrderOfTheNumbers() throws {
    let message = Swiftkart_Test_Extended.with {
      $0.Swiftkart_Test_int32SExt = [1]
      $0.after = "z"
      $0.middle = 1
      $0.Swiftkart_Test_messageExt = .with { $0.before = "y" }
      $0.Swiftkart_Test_boolExt = true
      $0.first = 1
    }
    let bytes: [UInt8] = try message.serializedBytes()
    #expect(
      bytes == hex("08 01 80 01 01 a0 01 01 b2 01 04 aa 01 01 79 fa 01 01 7a a0 06 01"))
  }

  @Test func areWrittenBehindTheOnlyField() throws {
    let message = Swiftkart_Test_Short.with {
      $0.Swiftkart_Test_shortExt = 2
      $0.only = 1
    }
    #expect(try message.serializedBytes() == hex("08 01 a0 06 02"))
    #expect(try message.jsonString() == #"{"only":1,"[swiftkart.test.short_ext]":2}"#)
  }

  @Test func repeatedValuesAreMerged() throws {
    let wire = "b2 01 02 08 01 a0 06 01 bb 01 08 01 bc 01 10 01 a2 06 02 02 03 aa 06 01 04"
    let more = "b2 01 03 a0 01 07 bb 01 bc 01 10 02 a8 06 05"
    let message = try Swiftkart_Test_Extended(
      serializedBytes: hex(wire + more), extensions: extensions)
    #expect(message.Swiftkart_Test_messageExt.first == 1)
    #expect(message.Swiftkart_Test_messageExt.middle == 7)
    #expect(message.Swiftkart_Test_groupExt.value == 1)
    #expect(message.Swiftkart_Test_int32Ext == 2)
    // Whether packed or not, whatever the declaration says.
    #expect(message.Swiftkart_Test_int32SExt == [1, 2, 3])
    #expect(message.Swiftkart_Test_packedInt32SExt == [4, 5])
  }

  /// A closed enum's unknown numbers are unknown fields, as is a tag that does not fit.
  @Test(arguments: [
    ("98 01 07", "98 01 07"), ("b8 06 00 b8 06 07 b8 06 02", "b8 06 07"),
    ("c2 06 03 00 07 02", "c0 06 07"), ("9a 01 00", "9a 01 00"),
    ("b5 06 01 02 03 04", "b5 06 01 02 03 04"),
  ])
  func whatDoesNotFitIsUnknown(wire: String, unknown: String) throws {
    let message = try Swiftkart_Test_Extended(
      serializedBytes: hex(wire), extensions: extensions)
    #expect(message.unknownFields.data == hex(unknown))
    #expect(!message.hasSwiftkart_Test_levelExt)
  }

  @Test func requiredFieldsInsideCount() throws {
    var message = Swiftkart_Test_Extended()
    #expect(message.isInitialized)
    message.Swiftkart_Test_demandingExt = .init()
    #expect(!message.isInitialized)
    #expect(throws: BinaryEncodingError.missingRequiredFields) {
      try message.serializedBytes() as [UInt8]
    }
    message.Swiftkart_Test_demandingExt.demanded = 1
    #expect(message.isInitialized)
  }

  @Test func malformedValuesAreErrorsWithTheirOffset() {
    let error = #expect(throws: BinaryDecodingError.self) {
      try Swiftkart_Test_Extended(
        serializedBytes: hex("08 01 b2 01 05 0a"), extensions: extensions)
    }
    #expect(error == BinaryDecodingError(code: .truncated, byteOffset: 4))
  }
}
