import SwiftProtobuf

/// A .proto file with everything in it, linked to the files it imports.
public final class FileDescriptor: Sendable {
  /// The descriptor as protoc hands it over.
  public let proto: Google_Protobuf_FileDescriptorProto
  /// The files that it imports, in order.
  public let dependencies: [FileDescriptor]
  /// The edition that it is written in.
  public let edition: Google_Protobuf_Edition
  /// The top-level messages.
  public let messages: [MessageDescriptor]
  /// The top-level enums.
  public let enums: [EnumDescriptor]
  /// The top-level extensions.
  public let extensions: [FieldDescriptor]
  /// The services.
  public let services: [ServiceDescriptor]

  /// The path that other files import it by.
  public var name: String { proto.name }

  /// What the Swift names of its top-level types begin with.
  public let typePrefix: String

  init(_ proto: Google_Protobuf_FileDescriptorProto, dependencies: [FileDescriptor]) {
    self.proto = proto
    self.dependencies = dependencies
    switch proto.syntax {
    case "editions": edition = proto.edition
    case "proto3": edition = .proto3
    default: edition = .proto2
    }
    typePrefix = SwiftNaming.typePrefix(
      package: proto.package,
      swiftPrefix: proto.options.hasSwiftPrefix ? proto.options.swiftPrefix : nil)
    let scope = Scope(
      file: proto.name, package: proto.package, swiftPrefix: typePrefix,
      features: Features(edition: edition).overridden(by: proto.options.features),
      comments: Comments(proto.sourceCodeInfo))
    messages = proto.messageType.enumerated().map {
      MessageDescriptor($1, in: scope, path: [4, Int32($0)])
    }
    enums = proto.enumType.enumerated().map {
      EnumDescriptor($1, in: scope, path: [5, Int32($0)])
    }
    extensions = proto.extension.enumerated().map {
      FieldDescriptor($1, in: scope, ofMapEntry: false, mapEntries: [:], path: [7, Int32($0)])
    }
    services = proto.service.enumerated().map {
      ServiceDescriptor($1, in: scope, path: [6, Int32($0)])
    }
  }

  /// The files whose types the importer of this file sees through it: itself, and those that it
  /// imports publicly.
  var publicClosure: [FileDescriptor] {
    [self]
      + proto.publicDependency.flatMap { index in
        dependencies.indices.contains(Int(index)) ? dependencies[Int(index)].publicClosure : []
      }
  }
}

/// What the elements of a file inherit from what they are in.
struct Scope {
  let file: String
  /// The full name of the package or message, without a dot at either end.
  let package: String
  /// What Swift names begin with here.
  let swiftPrefix: String
  let features: Features
  let comments: Comments
  /// Whether this is inside of a message.
  var isNested = false

  func fullName(_ name: String) -> String { package.isEmpty ? name : "\(package).\(name)" }

  /// The scope inside a message.
  func nested(in name: String, swiftName: String, features: Features) -> Scope {
    Scope(
      file: file, package: fullName(name), swiftPrefix: swiftName + ".", features: features,
      comments: comments, isNested: true)
  }

  /// What a type's name begins with in its declaration here.
  var declarationPrefix: String { isNested ? "" : swiftPrefix }

  /// What leads to a type's declaration here.
  var qualifier: String { isNested ? swiftPrefix : "" }
}
