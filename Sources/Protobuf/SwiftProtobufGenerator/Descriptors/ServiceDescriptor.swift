import SwiftProtobuf

/// A service of a .proto file.
public struct ServiceDescriptor: Sendable {
  /// The descriptor as protoc hands it over.
  public let proto: Google_Protobuf_ServiceDescriptorProto
  /// The full name, as it is in the path of a call: `grpc.health.v1.Health`.
  public let fullName: String
  /// The Swift name: `Grpc_Health_V1_Health`.
  public let swiftName: String
  /// The methods, in the order of the file.
  public let methods: [MethodDescriptor]
  /// The lines of its comment.
  public let comment: [String]

  init(_ proto: Google_Protobuf_ServiceDescriptorProto, in scope: Scope, path: [Int32]) {
    self.proto = proto
    fullName = scope.fullName(proto.name)
    swiftName = scope.swiftPrefix + proto.name
    comment = scope.comments[path, deprecated: proto.options.deprecated ? "service" : nil]
    methods = proto.method.enumerated().map { index, method in
      let thing = method.options.deprecated ? "method" : nil
      return MethodDescriptor(
        proto: method, comment: scope.comments[path + [2, Int32(index)], deprecated: thing])
    }
  }
}

/// A method of a service.
public struct MethodDescriptor: Sendable {
  /// The descriptor as protoc hands it over.
  public let proto: Google_Protobuf_MethodDescriptorProto
  /// The lines of its comment.
  public let comment: [String]

  /// The name in the .proto file.
  public var name: String { proto.name }

  /// The full name of the request's type.
  public var inputTypeName: String { String(proto.inputType.drop { $0 == "." }) }

  /// The full name of the response's type.
  public var outputTypeName: String { String(proto.outputType.drop { $0 == "." }) }
}
