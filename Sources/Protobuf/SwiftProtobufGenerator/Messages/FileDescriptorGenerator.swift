import SwiftProtobuf

/// Writes the enum that carries a file's descriptor.
struct FileDescriptorGenerator {
  let file: FileDescriptor
  let resolver: TypeResolver

  func write(to writer: inout SourceWriter) throws {
    let runtime = resolver.runtime
    let visibility = resolver.options.visibility.modifier
    let used = try usedDependencies()
    let names = used.map {
      resolver.modulePrefix(of: $0.name) + SwiftNaming.fileDescriptorName($0.name) + ".self"
    }
    let bytes: [UInt8] = try embedded(used: Set(used.map(\.name))).serializedBytes(partial: true)
    writer.line("/// The descriptor of `\(file.name)`.")
    let name = SwiftNaming.fileDescriptorName(file.name)
    writer.block("\(visibility)enum \(name): \(runtime)FileDescriptorProviding") { writer in
      writer.line(
        "\(visibility)static let protoFileName = \(DefaultValue.literal(file.name))", "",
        "\(visibility)static let dependencies: [any \(runtime)FileDescriptorProviding.Type] = [\(names.joined(separator: ", "))]",
        "",
        "\(visibility)static let serializedFileDescriptor = \(runtime)decodeFileDescriptor(",
        "  \"\"\"")
      writer.lines(base64Lines(bytes).map { "  \($0)" })
      writer.line("  \"\"\")")
    }
  }

  private func base64Lines(_ bytes: [UInt8]) -> [String] {
    var rest = encodeFileDescriptor(bytes)[...]
    var lines: [String] = []
    while !rest.isEmpty {
      lines.append(String(rest.prefix(96)))
      rest = rest.dropFirst(96)
    }
    return lines
  }

  /// The imports that something in the file needs: public ones, and those through which it sees a
  /// type that it names. Files that only define options need not have been generated at all.
  private func usedDependencies() throws -> [FileDescriptor] {
    var files: Set<String> = []
    for message in file.messages { try collect(message, into: &files) }
    for field in file.proto.extension { try collect(field, into: &files) }
    for method in file.services.flatMap(\.methods) {
      files.insert(try resolver.pool.message(method.inputTypeName).file)
      files.insert(try resolver.pool.message(method.outputTypeName).file)
    }
    let published = Set(file.proto.publicDependency.map(Int.init))
    return file.dependencies.enumerated().filter { index, dependency in
      published.contains(index)
        || dependency.publicClosure.contains { files.contains($0.name) }
    }.map(\.element)
  }

  private func collect(_ message: MessageDescriptor, into files: inout Set<String>) throws {
    for field in message.proto.field + message.proto.extension {
      try collect(field, into: &files)
    }
    for nested in message.messages + message.mapEntries.values {
      try collect(nested, into: &files)
    }
  }

  private func collect(
    _ field: Google_Protobuf_FieldDescriptorProto, into files: inout Set<String>
  ) throws {
    if field.hasExtendee {
      files.insert(try resolver.pool.message(String(field.extendee.dropFirst())).file)
    }
    switch field.type {
    case .message, .group:
      files.insert(try resolver.pool.message(String(field.typeName.dropFirst())).file)
    case .enum:
      files.insert(try resolver.pool.enumType(String(field.typeName.dropFirst())).file)
    default:
      break
    }
  }

  /// The descriptor without comments and without the imports that are not in `used`.
  private func embedded(used: Set<String>) -> Google_Protobuf_FileDescriptorProto {
    var proto = file.proto
    proto.clearSourceCodeInfo()
    proto.optionDependency = []
    let kept = proto.dependency.indices.filter { used.contains(proto.dependency[$0]) }
    let positions = Dictionary(
      uniqueKeysWithValues: kept.enumerated().map { (Int32($1), Int32($0)) })
    proto.dependency = kept.map { proto.dependency[$0] }
    proto.publicDependency = proto.publicDependency.compactMap { positions[$0] }
    proto.weakDependency = proto.weakDependency.compactMap { positions[$0] }
    return proto
  }
}
