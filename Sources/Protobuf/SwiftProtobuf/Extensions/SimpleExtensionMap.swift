/// A set of extensions, such as those of one .proto file.
///
/// Generated code declares one for each file that has extensions. Sets of several files are united:
///
/// ```swift
/// let known = Racing_Race_Extensions.union(Racing_Team_Extensions)
/// let message = try Racing_Race(serializedBytes: bytes, extensions: known)
/// ```
public struct SimpleExtensionMap: ExtensionMap, ExpressibleByArrayLiteral {
  private struct Key: Hashable, Sendable {
    let message: ObjectIdentifier
    let number: Int
  }

  private struct Name: Hashable, Sendable {
    let message: ObjectIdentifier
    let name: String
  }

  private var extensions: [Key: any AnyMessageExtension] = [:]
  private var numbers: [Name: Int] = [:]

  /// No extensions.
  public init() {}

  /// The extensions of the literal.
  public init(arrayLiteral elements: any AnyMessageExtension...) {
    insert(contentsOf: elements)
  }

  /// The extensions of several sets. Of two with the same number, the later counts.
  public init(_ others: SimpleExtensionMap...) {
    for other in others { formUnion(other) }
  }

  /// The extension of a message with a number.
  public subscript(
    messageType: any Message.Type, fieldNumber: Int
  ) -> (any AnyMessageExtension)? {
    extensions[Key(message: ObjectIdentifier(messageType), number: fieldNumber)]
  }

  /// The number of the extension of a message with a full name.
  public func fieldNumberForProto(
    messageType: any Message.Type, protoFieldName: String
  ) -> Int? {
    numbers[Name(message: ObjectIdentifier(messageType), name: protoFieldName)]
  }

  /// Adds an extension, in place of one with the same number.
  public mutating func insert(_ newValue: any AnyMessageExtension) {
    let message = ObjectIdentifier(newValue.messageType)
    let key = Key(message: message, number: newValue.fieldNumber)
    if let old = extensions.updateValue(newValue, forKey: key) {
      numbers[Name(message: message, name: old.fieldName)] = nil
    }
    numbers[Name(message: message, name: newValue.fieldName)] = newValue.fieldNumber
  }

  /// Adds extensions.
  public mutating func insert(contentsOf values: [any AnyMessageExtension]) {
    for value in values { insert(value) }
  }

  /// Adds the extensions of another set. Of two with the same number, the other set's counts.
  public mutating func formUnion(_ other: SimpleExtensionMap) {
    for value in other.extensions.values { insert(value) }
  }

  /// The extensions of both sets. Of two with the same number, the other set's counts.
  public func union(_ other: SimpleExtensionMap) -> SimpleExtensionMap {
    var result = self
    result.formUnion(other)
    return result
  }
}
