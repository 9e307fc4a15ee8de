extension Google_Protobuf_Value: ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByNilLiteral, ExpressibleByStringLiteral
{
  /// Creates a bool.
  public init(booleanLiteral value: Bool) { self.init(boolValue: value) }

  /// Creates a number.
  public init(floatLiteral value: Double) { self.init(numberValue: value) }

  /// Creates a number.
  public init(integerLiteral value: Int64) { self.init(numberValue: Double(value)) }

  /// Creates a null.
  public init(nilLiteral: ()) {
    self.init()
    kind = .nullValue(.nullValue)
  }

  /// Creates a string.
  public init(stringLiteral value: String) { self.init(stringValue: value) }

  /// Creates a bool.
  public init(boolValue: Bool) {
    self.init()
    kind = .boolValue(boolValue)
  }

  /// Creates a number.
  public init(numberValue: Double) {
    self.init()
    kind = .numberValue(numberValue)
  }

  /// Creates a string.
  public init(stringValue: String) {
    self.init()
    kind = .stringValue(stringValue)
  }

  /// Creates an object.
  public init(structValue: Google_Protobuf_Struct) {
    self.init()
    kind = .structValue(structValue)
  }

  /// Creates an array.
  public init(listValue: Google_Protobuf_ListValue) {
    self.init()
    kind = .listValue(listValue)
  }
}

extension Google_Protobuf_Struct: ExpressibleByDictionaryLiteral {
  /// Creates an object; of several members with one name the last counts.
  public init(dictionaryLiteral elements: (String, Google_Protobuf_Value)...) {
    self.init()
    for (name, value) in elements { fields[name] = value }
  }
}

extension Google_Protobuf_ListValue: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: Google_Protobuf_Value...) {
    self.init()
    values = elements
  }
}
