import SwiftProtobuf

/// A message of a .proto file.
public final class MessageDescriptor: Sendable {
  /// The descriptor as protoc hands it over.
  public let proto: Google_Protobuf_DescriptorProto
  /// The path of the file it is in.
  public let file: String
  /// The full name, as in `google.protobuf.Timestamp`.
  public let fullName: String
  /// The Swift name inside of its module, as in `KartLocations.Kart`.
  public let swiftName: String
  /// The fields, by number.
  public let fields: [FieldDescriptor]
  /// The oneofs that the .proto file names.
  public let oneofs: [OneofDescriptor]
  /// The nested messages, the entries of maps excepted.
  public let messages: [MessageDescriptor]
  /// The nested enums.
  public let enums: [EnumDescriptor]
  /// For each map field's type, the entry's key and value.
  let mapEntries: [String: MessageDescriptor]
  /// The lines of its comment.
  public let comment: [String]

  /// The Swift name inside of the message or file that it is in.
  public let swiftRelativeName: String

  init(_ proto: Google_Protobuf_DescriptorProto, in scope: Scope, path: [Int32]) {
    self.proto = proto
    file = scope.file
    fullName = scope.fullName(proto.name)
    swiftRelativeName = SwiftNaming.messageName(scope.declarationPrefix + proto.name)
    swiftName = scope.qualifier + swiftRelativeName
    comment = scope.comments[path]
    let features = scope.features.overridden(by: proto.options.features)
    let inner = scope.nested(in: proto.name, swiftName: swiftName, features: features)
    let nested = proto.nestedType.enumerated().map {
      MessageDescriptor($1, in: inner, path: path + [3, Int32($0)])
    }
    messages = nested.filter { !$0.proto.options.mapEntry }
    let mapEntries = Dictionary(
      nested.filter { $0.proto.options.mapEntry }.map { ($0.fullName, $0) }
    ) { first, _ in first }
    self.mapEntries = mapEntries
    enums = proto.enumType.enumerated().map {
      EnumDescriptor($1, in: inner, path: path + [4, Int32($0)])
    }
    let fields = proto.field.enumerated().map {
      FieldDescriptor(
        $1, in: inner, ofMapEntry: proto.options.mapEntry, mapEntries: mapEntries,
        path: path + [2, Int32($0)])
    }
    self.fields = fields.sorted { $0.number < $1.number }
    oneofs = proto.oneofDecl.enumerated().compactMap { index, oneof in
      let members = fields.filter { $0.oneofIndex == index }
      guard !members.isEmpty else { return nil }
      return OneofDescriptor(
        index: index, name: oneof.name, fields: members.sorted { $0.number < $1.number },
        comment: scope.comments[path + [8, Int32(index)]])
    }
  }
}

/// A oneof of a message.
public struct OneofDescriptor: Sendable {
  /// The place among the message's oneofs.
  public let index: Int
  /// The name in the .proto file.
  public let name: String
  /// The members, by number.
  public let fields: [FieldDescriptor]
  /// The lines of its comment.
  public let comment: [String]
}
