// ProtoJSON writes a wrapper as the value in it.

/// A message with one field `value`.
protocol WrapperMessage: Message {
  associatedtype Coding: FieldCoding
  var value: Coding.Value { get set }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension WrapperMessage {
  public static var _protobufHasSpecialJSON: Bool { true }

  public func _protobufWriteJSON(to writer: inout ProtoJSONWriter) throws {
    try Coding.write(value, to: &writer)
  }

  public mutating func _protobufReadJSON(from reader: inout ProtoJSONReader) throws {
    if let read = try Coding.read(from: &reader) { value = read }
  }
}

extension Google_Protobuf_DoubleValue: WrapperMessage, ExpressibleByFloatLiteral {
  typealias Coding = ProtobufDouble

  /// Wraps a value.
  public init(_ value: Double) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Google_Protobuf_FloatValue: WrapperMessage, ExpressibleByFloatLiteral {
  typealias Coding = ProtobufFloat

  /// Wraps a value.
  public init(_ value: Float) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(floatLiteral value: Float) { self.init(value) }
}

extension Google_Protobuf_Int64Value: WrapperMessage, ExpressibleByIntegerLiteral {
  typealias Coding = ProtobufInt64

  /// Wraps a value.
  public init(_ value: Int64) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension Google_Protobuf_UInt64Value: WrapperMessage, ExpressibleByIntegerLiteral {
  typealias Coding = ProtobufUInt64

  /// Wraps a value.
  public init(_ value: UInt64) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(integerLiteral value: UInt64) { self.init(value) }
}

extension Google_Protobuf_Int32Value: WrapperMessage, ExpressibleByIntegerLiteral {
  typealias Coding = ProtobufInt32

  /// Wraps a value.
  public init(_ value: Int32) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(integerLiteral value: Int32) { self.init(value) }
}

extension Google_Protobuf_UInt32Value: WrapperMessage, ExpressibleByIntegerLiteral {
  typealias Coding = ProtobufUInt32

  /// Wraps a value.
  public init(_ value: UInt32) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(integerLiteral value: UInt32) { self.init(value) }
}

extension Google_Protobuf_BoolValue: WrapperMessage, ExpressibleByBooleanLiteral {
  typealias Coding = ProtobufBool

  /// Wraps a value.
  public init(_ value: Bool) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Google_Protobuf_StringValue: WrapperMessage, ExpressibleByStringLiteral {
  typealias Coding = ProtobufString

  /// Wraps a value.
  public init(_ value: String) {
    self.init()
    self.value = value
  }

  /// Wraps a literal.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Google_Protobuf_BytesValue: WrapperMessage {
  typealias Coding = ProtobufBytes

  /// Wraps a value.
  public init(_ value: [UInt8]) {
    self.init()
    self.value = value
  }
}
