import SwiftProtobuf

/// Every file of one request, linked.
public struct DescriptorPool: Sendable {
  /// The files by their paths.
  public private(set) var files: [String: FileDescriptor] = [:]
  private var messages: [String: MessageDescriptor] = [:]
  private var enums: [String: EnumDescriptor] = [:]
  /// Which fields are kept on the heap.
  private(set) var layout = StorageLayout([:])
  /// Which messages can lack a required field.
  private(set) var requiredFields = RequiredFields([:])

  /// Links files.
  ///
  /// - Parameter protos: the files, each after those it imports, as protoc orders them.
  public init(_ protos: [Google_Protobuf_FileDescriptorProto]) {
    for proto in protos {
      let file = FileDescriptor(proto, dependencies: proto.dependency.compactMap { files[$0] })
      files[file.name] = file
      for message in file.messages { add(message) }
      for type in file.enums { enums[type.fullName] = type }
    }
    layout = StorageLayout(messages)
    requiredFields = RequiredFields(messages)
  }

  private mutating func add(_ message: MessageDescriptor) {
    messages[message.fullName] = message
    for nested in message.messages { add(nested) }
    for entry in message.mapEntries.values { messages[entry.fullName] = entry }
    for type in message.enums { enums[type.fullName] = type }
  }

  /// The message with a full name.
  public func message(_ fullName: String) throws -> MessageDescriptor {
    guard let message = messages[fullName] else { throw GeneratorError.unknownType(fullName) }
    return message
  }

  /// The enum with a full name.
  public func enumType(_ fullName: String) throws -> EnumDescriptor {
    guard let type = enums[fullName] else { throw GeneratorError.unknownType(fullName) }
    return type
  }
}
