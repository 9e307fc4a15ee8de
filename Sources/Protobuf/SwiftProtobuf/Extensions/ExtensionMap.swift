/// The extensions that a reader knows. What it does not know becomes an unknown field.
public protocol ExtensionMap: Sendable {
  /// The extension of a message with a number.
  subscript(messageType: any Message.Type, fieldNumber: Int) -> (any AnyMessageExtension)? { get }

  /// The number of the extension of a message with a full name.
  func fieldNumberForProto(messageType: any Message.Type, protoFieldName: String) -> Int?
}

extension ExtensionMap {
  /// The extension of a message with a full name.
  func named(_ name: String, of messageType: any Message.Type) -> (any AnyMessageExtension)? {
    fieldNumberForProto(messageType: messageType, protoFieldName: name)
      .flatMap { self[messageType, $0] }
  }
}
