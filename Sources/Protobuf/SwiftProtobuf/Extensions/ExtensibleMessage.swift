/// A message that declares extension ranges, so that other .proto files may add fields.
public protocol ExtensibleMessage: Message {
  /// The extensions that are set.
  var _protobufExtensions: ExtensionFieldValueSet { get set }
}

extension ExtensibleMessage {
  /// Sets an extension.
  ///
  /// - Parameters:
  ///   - ext: the extension.
  ///   - value: its new value.
  public mutating func setExtensionValue<F: ExtensionField>(
    ext: MessageExtension<F, Self>, value: F.ValueType
  ) {
    var field = F()
    field._protobufValue = value
    _protobufExtensions.update(ext) { $0 = field }
  }

  /// The value of an extension; nil if it is not set.
  public func getExtensionValue<F: ExtensionField>(
    ext: MessageExtension<F, Self>
  ) -> F.ValueType? {
    (_protobufExtensions.field(of: ext) as? F)?._protobufValue
  }

  /// The elements of a repeated extension; none if it is not set.
  public func getExtensionValue<C: FieldCoding>(
    ext: MessageExtension<RepeatedExtensionField<C>, Self>
  ) -> [C.Value] {
    (_protobufExtensions.field(of: ext) as? RepeatedExtensionField<C>)?.values ?? []
  }

  /// The elements of a repeated extension; none if it is not set.
  public func getExtensionValue<C: PackableFieldCoding>(
    ext: MessageExtension<PackedExtensionField<C>, Self>
  ) -> [C.Value] {
    (_protobufExtensions.field(of: ext) as? PackedExtensionField<C>)?.values ?? []
  }

  /// Whether an extension is set.
  public func hasExtensionValue<F: ExtensionField>(ext: MessageExtension<F, Self>) -> Bool {
    _protobufExtensions.field(of: ext) != nil
  }

  /// Unsets an extension.
  public mutating func clearExtensionValue<F: ExtensionField>(ext: MessageExtension<F, Self>) {
    _protobufExtensions.remove(ext)
  }

  /// Reads an extension in a format that names fields.
  public mutating func _protobufReadExtension<R: FieldReader & ~Copyable & ~Escapable>(
    _ ext: any AnyMessageExtension, from reader: inout R
  ) throws {
    try _protobufExtensions.read(ext, from: &reader)
  }
}

extension ExtensionFieldValueSet {
  fileprivate mutating func read<R: FieldReader & ~Copyable & ~Escapable>(
    _ ext: any AnyMessageExtension, from reader: inout R
  ) throws {
    var field = field(of: ext) ?? ext._protobufNewField()
    remove(ext)
    try field._protobufRead(from: &reader)
    update(ext) { $0 = field }
  }
}
