import SwiftProtobuf

/// What is generated for one field, as pieces of source.
struct FieldGenerator {
  /// How the field's value is kept.
  enum Storage {
    /// In a property of the field's own name.
    case property
    /// In an optional `_name` beside computed properties.
    case optional
    /// In an optional `_name` on the heap.
    case indirect
    /// In a oneof.
    case member(isIndirect: Bool)
  }

  let field: FieldDescriptor
  let storage: Storage
  /// The Swift type of one value.
  let valueType: String
  /// The runtime's type that reads and writes one value.
  let coding: String
  /// For a map: the types of its keys and values, and what reads and writes these.
  let map: (key: FieldType, value: FieldType)?
  /// Whether the type is a closed enum.
  let isClosedEnum: Bool
  /// Whether the type is a message with required fields, here or deeper.
  let hasRequiredFields: Bool
  /// The value that is read when the field is not set.
  let defaultValue: String

  /// One value's Swift type, and the runtime's type that reads and writes it.
  struct FieldType {
    let swift: String
    let coding: String
    let isClosedEnum: Bool
    let isMessage: Bool
    let typeName: String

    init(_ field: FieldDescriptor, resolver: TypeResolver) throws {
      let runtime = resolver.runtime
      isMessage = field.isMessage
      typeName = field.typeName
      switch field.proto.type {
      case .message, .group:
        swift = try resolver.messageType(field.typeName)
        coding = "\(runtime)\(field.isDelimited ? "ProtobufGroup" : "ProtobufMessage")<\(swift)>"
        isClosedEnum = false
      case .enum:
        swift = try resolver.enumType(field.typeName)
        coding = "\(runtime)ProtobufEnum<\(swift)>"
        isClosedEnum = try resolver.pool.enumType(field.typeName).isClosed
      default:
        let scalar = ScalarType(field.proto.type)
        let isUnchecked = field.proto.type == .string && field.features.utf8Validation == .none
        swift = scalar.swift
        coding = runtime + (isUnchecked ? "ProtobufUncheckedString" : scalar.coding)
        isClosedEnum = false
      }
    }
  }

  /// - Parameter message: what it is a field of; nil for an extension.
  init(_ field: FieldDescriptor, of message: MessageDescriptor?, resolver: TypeResolver) throws {
    self.field = field
    let entry = message?.mapEntries[field.typeName]
    let type = try FieldType(field, resolver: resolver)
    if let entry, let key = entry.fields.first, let value = entry.fields.last {
      map = (try FieldType(key, resolver: resolver), try FieldType(value, resolver: resolver))
      let valueType = try FieldType(value, resolver: resolver)
      isClosedEnum = valueType.isClosedEnum
      hasRequiredFields =
        valueType.isMessage && resolver.pool.requiredFields.isNeeded(valueType.typeName)
    } else {
      map = nil
      isClosedEnum = type.isClosedEnum
      hasRequiredFields = type.isMessage && resolver.pool.requiredFields.isNeeded(type.typeName)
    }
    valueType = type.swift
    coding = type.coding
    let isIndirect = message.map { resolver.pool.layout.isIndirect(field, of: $0) } ?? false
    if field.oneofIndex != nil {
      storage = .member(isIndirect: isIndirect)
    } else if field.cardinality == .explicit {
      storage = isIndirect ? .indirect : .optional
    } else {
      storage = .property
    }
    defaultValue = try DefaultValue(field, type: type.swift, pool: resolver.pool).source
  }

  /// The property's name, in backticks if need be.
  var name: String { SwiftNaming.fieldName(field.baseName) }

  /// The property's name after `self.` or a dot.
  var bareName: String { name.filter { $0 != "`" } }

  /// What holds the value, as generated code refers to it.
  var stored: String {
    switch storage {
    case .property: "self.\(name)"
    case .optional, .indirect: "self._\(bareName)"
    case .member: ""
    }
  }

  /// The tag that is written before values.
  var tag: Int {
    field.number << 3 | (field.isPacked ? 2 : plainWireType)
  }

  /// The tag of single values.
  var plainTag: Int { field.number << 3 | plainWireType }

  /// The tag of packed values.
  var packedTag: Int { field.number << 3 | 2 }

  var tagSize: Int { Varint.size(UInt64(field.number << 3)) }

  private var plainWireType: Int {
    switch field.proto.type {
    case .double, .fixed64, .sfixed64: 1
    case .string, .bytes: 2
    case .message, .group: field.isDelimited ? 3 : 2
    case .float, .fixed32, .sfixed32: 5
    default: 0
    }
  }
}

/// The Swift side of a scalar field type.
struct ScalarType {
  let swift: String
  let coding: String

  init(_ type: Google_Protobuf_FieldDescriptorProto.TypeEnum) {
    (swift, coding) =
      switch type {
      case .double: ("Double", "ProtobufDouble")
      case .float: ("Float", "ProtobufFloat")
      case .int64: ("Int64", "ProtobufInt64")
      case .uint64: ("UInt64", "ProtobufUInt64")
      case .fixed64: ("UInt64", "ProtobufFixed64")
      case .fixed32: ("UInt32", "ProtobufFixed32")
      case .bool: ("Bool", "ProtobufBool")
      case .bytes: ("[UInt8]", "ProtobufBytes")
      case .uint32: ("UInt32", "ProtobufUInt32")
      case .sfixed32: ("Int32", "ProtobufSFixed32")
      case .sfixed64: ("Int64", "ProtobufSFixed64")
      case .sint32: ("Int32", "ProtobufSInt32")
      case .sint64: ("Int64", "ProtobufSInt64")
      case .int32: ("Int32", "ProtobufInt32")
      case .string, .group, .message, .enum: ("String", "ProtobufString")
      }
  }
}
