import SwiftProtobuf

/// An enum of a .proto file.
public final class EnumDescriptor: Sendable {
  /// The descriptor as protoc hands it over.
  public let proto: Google_Protobuf_EnumDescriptorProto
  /// The path of the file it is in.
  public let file: String
  /// The full name.
  public let fullName: String
  /// The Swift name inside of its module, as in `Foo.Kind`.
  public let swiftName: String
  /// Whether numbers that it has no value for are unknown fields.
  public let isClosed: Bool
  /// The lines of its comment.
  public let comment: [String]
  /// The lines of its values' comments.
  let valueComments: [[String]]

  /// The Swift name inside of the message or file that it is in.
  public let swiftRelativeName: String

  init(_ proto: Google_Protobuf_EnumDescriptorProto, in scope: Scope, path: [Int32]) {
    self.proto = proto
    file = scope.file
    fullName = scope.fullName(proto.name)
    isClosed = scope.features.overridden(by: proto.options.features).enumType == .closed
    swiftRelativeName = SwiftNaming.enumName(scope.declarationPrefix + proto.name)
    swiftName = scope.qualifier + swiftRelativeName
    comment = scope.comments[path, deprecated: proto.options.deprecated ? "enum" : nil]
    valueComments = proto.value.enumerated().map { index, value in
      let thing = value.options.deprecated ? "enum value" : nil
      return scope.comments[path + [2, Int32(index)], deprecated: thing]
    }
  }
}
