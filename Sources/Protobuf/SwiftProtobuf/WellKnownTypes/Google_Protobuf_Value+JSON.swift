// ProtoJSON writes a Value, a Struct and a ListValue as the JSON that they stand for.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_Value {
  public static var _protobufHasSpecialJSON: Bool { true }

  public static var _protobufAcceptsJSONNull: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    switch kind {
    case .nullValue: writer.write(raw: "null")
    case .numberValue(let value):
      guard value.isFinite else { throw JSONEncodingError.invalidValue }
      writer.write(floatingPoint: value)
    case .stringValue(let value): writer.write(string: value)
    case .boolValue(let value): writer.write(raw: value ? "true" : "false")
    case .structValue(let value): try value._protobufWriteJSON(to: &writer)
    case .listValue(let value): try value._protobufWriteJSON(to: &writer)
    case nil: throw JSONEncodingError.invalidValue
    }
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    switch reader.peek() {
    case UInt8(ascii: "n"):
      guard reader.skip(word: "null") else { throw reader.failure(.malformedJSON) }
      kind = .nullValue(.nullValue)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = .boolValue(try reader.bool())
    case UInt8(ascii: "\""): kind = .stringValue(try reader.string())
    case UInt8(ascii: "{"):
      var value = Google_Protobuf_Struct()
      try value._protobufReadJSON(from: &reader)
      kind = .structValue(value)
    case UInt8(ascii: "["):
      var value = Google_Protobuf_ListValue()
      try value._protobufReadJSON(from: &reader)
      kind = .listValue(value)
    default: kind = .numberValue(try reader.floatingPoint(Double.self))
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_Struct {
  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    try writer.write(
      map: fields, ProtobufString.self, ProtobufMessage<Google_Protobuf_Value>.self)
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    try reader.map(
      ProtobufString.self, ProtobufMessage<Google_Protobuf_Value>.self, into: &fields)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Google_Protobuf_ListValue {
  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    try writer.write(array: values, ProtobufMessage<Google_Protobuf_Value>.self)
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    try reader.array(ProtobufMessage<Google_Protobuf_Value>.self, into: &values)
  }
}
