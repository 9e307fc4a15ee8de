import SwiftProtobuf

/// The value of a field that is not set, as Swift source.
struct DefaultValue {
  let source: String

  init(_ field: FieldDescriptor, type: String, pool: DescriptorPool) throws {
    let text = field.proto.hasDefaultValue ? field.proto.defaultValue : nil
    switch field.proto.type {
    case .message, .group:
      source = "\(type)()"
    case .enum:
      source = try DefaultValue.enumCase(text, field: field, pool: pool)
    case .string:
      source = text.map(DefaultValue.literal) ?? "String()"
    case .bytes:
      source = text.map { "\(DefaultValue.unescaped($0))" } ?? "[]"
    case .bool:
      source = text ?? "false"
    case .double, .float:
      source = text.map { DefaultValue.floatingPoint($0, type: type) } ?? "0"
    default:
      source = text ?? "0"
    }
  }

  private static func enumCase(
    _ name: String?, field: FieldDescriptor, pool: DescriptorPool
  ) throws -> String {
    let type = try pool.enumType(field.typeName)
    let value = type.proto.value.first { $0.name == name } ?? type.proto.value.first
    guard let value, let name = EnumCaseNames(type).name(of: Int(value.number)) else {
      throw GeneratorError.unknownType(field.typeName)
    }
    return ".\(name)"
  }

  private static func floatingPoint(_ text: String, type: String) -> String {
    switch text {
    case "inf": ".infinity"
    case "-inf": "-.infinity"
    case "nan": ".nan"
    default:
      if type == "Float" {
        Float(text).flatMap { literal($0) ?? tiny($0, bits: "\($0.bitPattern)") } ?? text
      } else {
        Double(text).flatMap { literal($0) ?? tiny($0, bits: "\($0.bitPattern)") } ?? text
      }
    }
  }

  /// A zero as a literal: `-0` would be the integer 0.
  private static func literal(_ value: some BinaryFloatingPoint) -> String? {
    value.isZero ? (value.sign == .minus ? "-0.0" : "0") : nil
  }

  /// A subnormal value, or the least normal one, as an expression: the compiler complains of a literal that
  /// was less before it was rounded.
  private static func tiny<Value: BinaryFloatingPoint>(
    _ value: Value, bits: String
  ) -> String? {
    value.magnitude <= Value.leastNormalMagnitude ? "\(Value.self)(bitPattern: \(bits))" : nil
  }

  /// A string as a Swift literal.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The bytes of a default value with C's escapes, as descriptors hold it.
  static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "a"): bytes.append(7)
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "v"): bytes.append(11)
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        let digits = rest.prefix(2).prefix { Character(Unicode.Scalar($0)).isHexDigit }
        rest = rest.dropFirst(digits.count)
        bytes.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        let more = rest.prefix(2).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        rest = rest.dropFirst(more.count)
        let digits = String(decoding: [kind] + more, as: UTF8.self)
        bytes.append(UInt8(truncatingIfNeeded: Int(digits, radix: 8) ?? 0))
      default: bytes.append(kind)
      }
    }
    return bytes
  }
}
