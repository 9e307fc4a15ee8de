import SwiftProtobuf

/// A field of a message.
public struct FieldDescriptor: Sendable {
  /// How many values a field holds.
  public enum Cardinality: Sendable {
    /// One, and none when it is unset.
    case explicit
    /// One, and none but with a value other than the default.
    case implicit
    /// Any number.
    case repeated
  }

  /// The descriptor as protoc hands it over.
  public let proto: Google_Protobuf_FieldDescriptorProto
  /// What its features resolve to.
  public let features: Features
  /// The full name.
  public let fullName: String
  /// The name that Swift's are made from.
  public internal(set) var baseName: String
  /// The place of its oneof among the message's; nil if it is in none that the file names.
  public let oneofIndex: Int?
  /// How many values it holds.
  public let cardinality: Cardinality
  /// Whether a message is written between tags instead of with its length.
  public let isDelimited: Bool
  /// Whether it has to be set.
  public let isRequired: Bool
  /// Whether it is named after its type, as a group is.
  let isGroupLike: Bool
  /// The lines of its comment.
  public let comment: [String]

  /// The number on the wire.
  public var number: Int { Int(proto.number) }

  /// The full name of its message or enum type; empty for a scalar.
  public var typeName: String { String(proto.typeName.drop { $0 == "." }) }

  /// The full name of the message that it extends; nil if it is no extension.
  public var extendee: String? {
    proto.hasExtendee ? String(proto.extendee.drop { $0 == "." }) : nil
  }

  /// The name in the text format, where a group has that of its type.
  var textName: String {
    isGroupLike ? typeName.split(separator: ".").last.map(String.init) ?? proto.name : proto.name
  }

  /// Whether its type is a message.
  public var isMessage: Bool { proto.type == .message || proto.type == .group }

  /// Whether repeated values share one tag.
  public var isPacked: Bool {
    guard cardinality == .repeated, isPackable else { return false }
    return proto.options.hasPacked
      ? proto.options.packed : features.repeatedFieldEncoding == .packed
  }

  /// Whether repeated values may share one tag.
  public var isPackable: Bool {
    switch proto.type {
    case .string, .bytes, .message, .group: false
    default: true
    }
  }

  init(
    _ proto: Google_Protobuf_FieldDescriptorProto, in scope: Scope, ofMapEntry: Bool,
    mapEntries: [String: MessageDescriptor], path: [Int32]
  ) {
    self.proto = proto
    let features = scope.features.overridden(by: proto.options.features)
    self.features = features
    fullName = scope.fullName(proto.name)
    comment = scope.comments[path, deprecated: proto.options.deprecated ? "field" : nil]
    oneofIndex =
      proto.hasOneofIndex && !proto.proto3Optional ? Int(proto.oneofIndex) : nil
    let isMessage = proto.type == .message || proto.type == .group
    // A map's entries have lengths whatever the file's default is.
    let isMap = mapEntries[String(proto.typeName.drop { $0 == "." })] != nil
    isDelimited =
      proto.type == .group
      || isMessage && features.messageEncoding == .delimited && !ofMapEntry && !isMap
    isRequired = proto.label == .required || features.fieldPresence == .legacyRequired
    if proto.label == .repeated {
      cardinality = .repeated
    } else if isMessage || proto.proto3Optional || proto.hasOneofIndex || proto.hasExtendee
      || features.fieldPresence != .implicit
    {
      cardinality = .explicit
    } else {
      cardinality = .implicit
    }
    // A group's field is named like its type, but in lower case.
    let type = proto.typeName.split(separator: ".").last.map(String.init) ?? ""
    isGroupLike =
      isDelimited && proto.name == type.lowercased()
      && proto.typeName == ".\(scope.fullName(type))"
    baseName = isGroupLike ? type : proto.name
  }
}
