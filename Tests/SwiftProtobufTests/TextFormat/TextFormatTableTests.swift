import ProtobufTestMessages
import SwiftProtobuf
import Testing

/// The text format of every kind of field, both ways.
@Suite struct TextFormatTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let message: Swiftkart_Test_EveryType
    var testDescription: String { text }

    init(_ text: String, _ populate: (inout Swiftkart_Test_EveryType) -> Void) {
      self.text = text
      message = .with(populate)
    }
  }

  static let rows: [Row] = [
    Row("") { _ in },
    Row("int32_value: -2147483648\n") { $0.int32Value = .min },
    Row("int64_value: 9223372036854775807\n") { $0.int64Value = .max },
    Row("uint64_value: 18446744073709551615\n") { $0.uint64Value = .max },
    Row("sfixed64_value: -9223372036854775808\n") { $0.sfixed64Value = .min },
    Row("float_value: 0.1\n") { $0.floatValue = 0.1 },
    Row("double_value: 5e-324\n") { $0.doubleValue = .leastNonzeroMagnitude },
    Row("double_value: -0\n") { $0.doubleValue = -0.0 },
    Row("double_value: inf\n") { $0.doubleValue = .infinity },
    Row("double_value: -inf\n") { $0.doubleValue = -.infinity },
    Row("bool_value: true\n") { $0.boolValue = true },
    Row(#"string_value: "a\"b\\c\n\t\001é😀/'""# + "\n") { $0.stringValue = "a\"b\\c\n\t\u{1}é😀/'" },
    Row(#"bytes_value: "\000a\377\177""# + "\n") { $0.bytesValue = [0, 0x61, 255, 127] },
    Row("color: COLOR_GREEN\n") { $0.color = .green },
    Row("color: 9\n") { $0.color = .UNRECOGNIZED(9) },
    Row("child {\n  child {\n  }\n  int32_value: 1\n}\n") {
      $0.child.child = .init()
      $0.child.int32Value = 1
    },
  ]

  @Test(arguments: rows.dropLast())
  func writes(_ row: Row) {
    #expect(row.message.textFormatString() == row.text)
  }

  @Test(arguments: rows)
  func reads(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryType(textFormatString: row.text) == row.message)
  }

  @Test(arguments: [
    // Every separator, comments, and brackets of both kinds.
    Row("int32_value:1,int64_value:2;uint32_value:3") {
      $0.int32Value = 1
      $0.int64Value = 2
      $0.uint32Value = 3
    },
    Row("# first\nint32_value # then\n : # and\n 1#last") { $0.int32Value = 1 },
    Row("child: <child: {int32_value: 1},>;") { $0.child.child.int32Value = 1 },
    // Numbers of every base, and with the sign apart.
    Row("int32_value: 0x1F int64_value: -017 uint32_value: 0 sint32_value: - # minus\n 0X1f") {
      $0.int32Value = 31
      $0.int64Value = -15
      $0.sint32Value = -31
    },
    Row("double_value: 1.5f") { $0.doubleValue = 1.5 },
    Row("double_value: .5") { $0.doubleValue = 0.5 },
    Row("double_value: 1.e+2") { $0.doubleValue = 100 },
    Row("double_value: - 12F") { $0.doubleValue = -12 },
    Row("double_value: -Infinity") { $0.doubleValue = -.infinity },
    Row("float_value: 1e99") { $0.floatValue = .infinity },
    Row("bool_value: t") { $0.boolValue = true },
    Row("bool_value: True") { $0.boolValue = true },
    Row("bool_value: 01") { $0.boolValue = true },
    Row("color: -1") { $0.color = .infrared },
    // Adjacent literals, both quotes, every escape.
    Row(#"string_value: "a" 'b"' # c"# + "\n'c'") { $0.stringValue = "ab\"c" },
    Row(#"string_value: "\a\b\f\n\r\t\v\?\\\'\"\101\x41\u0041\U0001F600\7""#) {
      $0.stringValue = "\u{7}\u{8}\u{c}\n\r\t\u{b}?\\'\"AAA😀\u{7}"
    },
    Row(#"bytes_value: "\xff\x1\3771""#) { $0.bytesValue = [255, 1, 255, 0x31] },
  ])
  func readsLoosely(_ row: Row) throws {
    #expect(try Swiftkart_Test_EveryType(textFormatString: row.text) == row.message)
  }

  @Test func readsAndWritesRepeatedFields() throws {
    let message = Swiftkart_Test_EveryRepeated.with {
      $0.int32Values = [1, 2, 3]
      $0.colors = [.red, .green]
      $0.children = [.init(), .with { $0.int32Value = 1 }]
    }
    let text = """
      int32_values: 1
      int32_values: 2
      int32_values: 3
      colors: COLOR_RED
      colors: COLOR_GREEN
      children {
      }
      children {
        int32_value: 1
      }

      """
    #expect(message.textFormatString() == text)
    #expect(try .init(textFormatString: text) == message)
    let short = """
      int32_values: [1, 2] int32_values: 3 int32_values: [] colors: [1, COLOR_GREEN]
      children [{}, <int32_value: 1>]
      """
    #expect(try .init(textFormatString: short) == message)
  }

  @Test func readsAndWritesMaps() throws {
    let message = Swiftkart_Test_EveryMap.with {
      $0.int32Keys = [3: "c", -1: "a"]
      $0.stringKeys = ["x": .with { $0.int32Value = 1 }]
    }
    let text = """
      int32_keys {
        key: -1
        value: "a"
      }
      int32_keys {
        key: 3
        value: "c"
      }
      string_keys {
        key: "x"
        value {
          int32_value: 1
        }
      }

      """
    #expect(message.textFormatString() == text)
    #expect(try .init(textFormatString: text) == message)
    let short = """
      int32_keys: [{value: "c" key: 3}, {key: -1, value: "b"}] int32_keys {key: -1 value: "a"}
      string_keys {key: "x" value: {int32_value: 1}}
      """
    #expect(try .init(textFormatString: short) == message)
    #expect(try Swiftkart_Test_EveryMap(textFormatString: "bool_keys {}").boolKeys == [false: 0])
  }

  @Test func expandsAny() throws {
    var message = Swiftkart_Test_EveryWellKnown()
    message.any = try Google_Protobuf_Any(message: Google_Protobuf_Duration(seconds: 5))
    let text = "any {\n  [type.googleapis.com/google.protobuf.Duration] {\n    seconds: 5\n  }\n}\n"
    #expect(message.textFormatString() == text)
    #expect(try .init(textFormatString: text) == message)
    let spaced =
      "any { [ type.googleapis.com / google . protobuf # name\n .Duration ]: <seconds: 5> }"
    #expect(try .init(textFormatString: spaced) == message)
    // What can't be expanded is written as it is.
    message.any.typeURL = "x/unregistered"
    #expect(
      message.textFormatString()
        == "any {\n  type_url: \"x/unregistered\"\n  value: \"\\010\\005\"\n}\n")
    #expect(try .init(textFormatString: message.textFormatString()) == message)
  }

  @Test func writesUnknownFieldsByNumber() throws {
    let bytes: [UInt8] =
      [0x10, 0x96, 0x01, 0x19, 1, 0, 0, 0, 0, 0, 0, 0, 0x25, 2, 0, 0, 0] + [0x2a, 2, 0x08, 0x07]
      + [0x32, 1, 0xff, 0x3b, 0x08, 0x01, 0x3c]
    let message = try Swiftkart_Test_SomeTypes(serializedBytes: bytes)
    #expect(
      message.textFormatString() == """
        2: 150
        3: 0x0000000000000001
        4: 0x00000002
        5 {
          1: 7
        }
        6: "\\377"
        7 {
          1: 1
        }

        """)
    var options = TextFormatEncodingOptions()
    options.printUnknownFields = false
    #expect(message.textFormatString(options: options).isEmpty)
  }

  @Test func ignoresUnknownFieldsOnRequest() throws {
    var options = TextFormatDecodingOptions()
    options.ignoreUnknownFields = true
    let text = """
      a: 1 b: -inf c: "x" 'y' d {e: [1, 2] f <g: BLUE>} h: [] i [{}, <>] [k.l]: 3, int32_value: 4
      """
    let message = try Swiftkart_Test_SomeTypes(textFormatString: text, options: options)
    #expect(message.int32Value == 4)
    #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_SomeTypes(textFormatString: "a 1", options: options)
    }
  }

  @Test func debugDescriptionIsTheTypeAndTheText() {
    let message = Swiftkart_Test_SomeTypes.with { $0.int32Value = 4 }
    #expect(message.debugDescription == "swiftkart.test.SomeTypes:\nint32_value: 4\n")
  }

  @Test func namesGroupsAfterTheirTypes() throws {
    let message = Swiftkart_Test_Legacy.with {
      $0.id = 1
      $0.pair.left = 2
    }
    #expect(message.textFormatString() == "id: 1\nPair {\n  left: 2\n}\n")
    for text in ["id: 1 Pair { left: 2 }", "id: 1 pair: < left: 2 >"] {
      #expect(try Swiftkart_Test_Legacy(textFormatString: text) == message)
    }
  }

  @Test func readsAndWritesExtensions() throws {
    var message = Swiftkart_Test_Extended()
    message.first = 1
    message.setExtensionValue(ext: Swiftkart_Test_Extensions_int32_ext, value: 3)
    message.setExtensionValue(ext: Swiftkart_Test_Extensions_strings_ext, value: ["a", "b"])
    let text = """
      first: 1
      [swiftkart.test.int32_ext]: 3
      [swiftkart.test.strings_ext]: "a"
      [swiftkart.test.strings_ext]: "b"

      """
    #expect(message.textFormatString() == text)
    let extensions = Swiftkart_Test_Extensions_Extensions
    #expect(try .init(textFormatString: text, extensions: extensions) == message)
    let short =
      "[swiftkart.test . strings_ext]: ['a', 'b'] [ swiftkart.test.int32_ext ]: 3 first: 1"
    #expect(try .init(textFormatString: short, extensions: extensions) == message)
    let error = #expect(throws: TextFormatDecodingError.self) {
      try Swiftkart_Test_Extended(textFormatString: text)
    }
    #expect(error?.code == .unknownExtension("swiftkart.test.int32_ext"))
  }

  @Test func readsOverReservedNames() throws {
    let message = try Swiftkart_Test_Colliding(
      textFormatString: "old: [1, 2] older { x: 'y' }, foo_bar: 1")
    #expect(message.textFormatString() == "foo_bar: 1\n")
  }
}
