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
  /// The extensions that are declared in it, of whatever message.
  public let extensions: [FieldDescriptor]
  /// The numbers that extensions of it may have, in order, without gaps that hold no field.
  public let extensionRanges: [Range<Int>]
  /// The lines of its comment.
  public let comment: [String]

  /// Whether extensions are written in message set format.
  public var isMessageSet: Bool { proto.options.messageSetWireFormat }

  /// The Swift name inside of the message or file that it is in.
  public let swiftRelativeName: String

  init(_ proto: Google_Protobuf_DescriptorProto, in scope: Scope, path: [Int32]) {
    self.proto = proto
    file = scope.file
    fullName = scope.fullName(proto.name)
    swiftRelativeName = SwiftNaming.messageName(scope.declarationPrefix + proto.name)
    swiftName = scope.qualifier + swiftRelativeName
    comment = scope.comments[path, deprecated: proto.options.deprecated ? "message" : nil]
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
    var fields = proto.field.enumerated().map {
      FieldDescriptor(
        $1, in: inner, ofMapEntry: proto.options.mapEntry, mapEntries: mapEntries,
        path: path + [2, Int32($0)])
    }
    var oneofNames = proto.oneofDecl.map(\.name)
    MemberNames.makeUnique(fields: &fields, oneofs: &oneofNames)
    self.fields = fields.sorted { $0.number < $1.number }
    extensions = proto.extension.enumerated().map {
      FieldDescriptor(
        $1, in: inner, ofMapEntry: false, mapEntries: [:], path: path + [6, Int32($0)])
    }
    extensionRanges = MessageDescriptor.joined(proto.extensionRange, around: fields)
    oneofs = oneofNames.enumerated().compactMap { [fields] index, name in
      let members = fields.filter { $0.oneofIndex == index }
      guard !members.isEmpty else { return nil }
      return OneofDescriptor(
        index: index, name: name, fields: members.sorted { $0.number < $1.number },
        comment: scope.comments[path + [8, Int32(index)]])
    }
  }

  /// Joins ranges that no field lies between.
  private static func joined(
    _ ranges: [Google_Protobuf_DescriptorProto.ExtensionRange], around fields: [FieldDescriptor]
  ) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) where range.start < range.end {
      let range = Int(range.start)..<Int(range.end)
      guard let last = joined.last, last.upperBound <= range.lowerBound,
        !fields.contains(where: { last.upperBound..<range.lowerBound ~= $0.number })
      else {
        joined.append(range)
        continue
      }
      joined[joined.count - 1] = last.lowerBound..<range.upperBound
    }
    return joined
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
