import Synchronization

extension Google_Protobuf_Any {
  /// The types that an `Any` may hold in ProtoJSON, by name.
  private static let registry = Mutex<[String: any Message.Type]>(
    Dictionary(
      uniqueKeysWithValues: Google_Protobuf_Any.wellKnownTypes.map { ($0.protoMessageName, $0) }))

  private static let wellKnownTypes: [any Message.Type] = [
    Google_Protobuf_Any.self, Google_Protobuf_BoolValue.self, Google_Protobuf_BytesValue.self,
    Google_Protobuf_DoubleValue.self, Google_Protobuf_Duration.self, Google_Protobuf_Empty.self,
    Google_Protobuf_FieldMask.self, Google_Protobuf_FloatValue.self,
    Google_Protobuf_Int32Value.self, Google_Protobuf_Int64Value.self,
    Google_Protobuf_ListValue.self, Google_Protobuf_StringValue.self,
    Google_Protobuf_Struct.self, Google_Protobuf_Timestamp.self, Google_Protobuf_UInt32Value.self,
    Google_Protobuf_UInt64Value.self, Google_Protobuf_Value.self,
  ]

  /// Makes a type known, so that an `Any` that holds it can be read and written in ProtoJSON. The
  /// well-known types are known already.
  ///
  /// - Parameter messageType: the type.
  /// - Returns: whether the name was free, or this type's already.
  @discardableResult
  public static func register(messageType: any Message.Type) -> Bool {
    registry.withLock { types in
      if let other = types[messageType.protoMessageName] { return other == messageType }
      types[messageType.protoMessageName] = messageType
      return true
    }
  }

  /// The registered type with a full name.
  public static func messageType(forMessageName name: String) -> (any Message.Type)? {
    registry.withLock { $0[name] }
  }
}
