/// An extension of a .proto file: a field that a message declared elsewhere may hold.
public protocol AnyMessageExtension: AnyObject, Sendable {
  /// The field's number on the wire.
  var fieldNumber: Int { get }

  /// The full name, which ProtoJSON and the text format write in brackets.
  var fieldName: String { get }

  /// The message that may hold the field.
  var messageType: any Message.Type { get }

  /// The field of this extension in a message that does not have it set.
  func _protobufNewField() -> any AnyExtensionField
}

/// An extension with the types of its field and of the message that may hold it.
///
/// Generated code declares one for each `extend` field:
///
/// ```swift
/// message.setExtensionValue(ext: Racing_Extensions_team, value: "red")
/// ```
public final class MessageExtension<Field: ExtensionField, MessageType: Message>:
  AnyMessageExtension
{
  /// The field's number on the wire.
  public let fieldNumber: Int

  /// The full name, which ProtoJSON and the text format write in brackets.
  public let fieldName: String

  /// The message that may hold the field.
  public var messageType: any Message.Type { MessageType.self }

  /// For generated code.
  public init(_protobuf_fieldNumber number: Int, fieldName: String) {
    self.fieldNumber = number
    self.fieldName = fieldName
  }

  /// The field of this extension in a message that does not have it set.
  public func _protobufNewField() -> any AnyExtensionField { Field() }
}
