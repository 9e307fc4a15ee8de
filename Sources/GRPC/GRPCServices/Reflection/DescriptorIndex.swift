import GRPCCore
import SwiftProtobuf

/// Files with all that they import, and where in them everything is declared.
struct DescriptorIndex: Sendable {
  struct File: Sendable {
    var name: String
    /// A `google.protobuf.FileDescriptorProto`.
    var bytes: [UInt8]
    var imports: [String]
  }

  /// The names of the services, in alphabetical order.
  private(set) var services: [String] = []
  private var files: [String: File] = [:]
  private var fileOfSymbol: [String: String] = [:]
  private var fileOfExtension: [String: [Int32: String]] = [:]
  private var messages: Set<String> = []

  /// Reads files.
  ///
  /// - Parameter roots: The files whose services are listed.
  init(_ roots: [any FileDescriptorProviding.Type]) throws(RuntimeError) {
    for root in roots { try add(root, isRoot: true) }
    services = Set(services).sorted()
  }

  func hasFile(_ name: String) -> Bool { files[name] != nil }

  /// The name of the file that declares a symbol.
  func file(containing symbol: String) -> String? { fileOfSymbol[symbol] }

  /// The name of the file that declares an extension.
  func file(extending type: String, by number: Int32) -> String? {
    fileOfExtension[type]?[number]
  }

  /// The numbers of a message type's extensions, in order; `nil` where there is no such type.
  func extensionNumbers(of type: String) -> [Int32]? {
    guard messages.contains(type) else { return nil }
    return fileOfExtension[type, default: [:]].keys.sorted()
  }

  /// A file, and then the files that it imports, directly or not.
  func fileAndImports(_ name: String) -> [File] {
    var found: [File] = []
    var queue = [name]
    var seen: Set<String> = [name]
    while !queue.isEmpty {
      guard let file = files[queue.removeFirst()] else { continue }
      found.append(file)
      queue += file.imports.filter { seen.insert($0).inserted }
    }
    return found
  }

  private mutating func add(
    _ type: any FileDescriptorProviding.Type, isRoot: Bool
  ) throws(RuntimeError) {
    let isNew = files[type.protoFileName] == nil
    guard isNew || isRoot else { return }
    let descriptor: Google_Protobuf_FileDescriptorProto
    do {
      descriptor = try type.fileDescriptor
    } catch {
      throw RuntimeError(
        code: .invalidArgument,
        message: "The descriptor of '\(type.protoFileName)' can't be read.", cause: error)
    }
    if isRoot { services += descriptor.service.map { descriptor.scope + $0.name } }
    guard isNew else { return }
    files[type.protoFileName] = File(
      name: type.protoFileName, bytes: type.serializedFileDescriptor,
      imports: type.dependencies.map { $0.protoFileName })
    add(descriptor)
    for dependency in type.dependencies { try add(dependency, isRoot: false) }
  }
}

// MARK: Symbols

extension DescriptorIndex {
  private mutating func add(_ file: Google_Protobuf_FileDescriptorProto) {
    let scope = file.scope
    for message in file.messageType { add(message, in: scope, of: file.name) }
    for enumeration in file.enumType { add(enumeration, in: scope, of: file.name) }
    for field in file.extension { add(extension: field, in: scope, of: file.name) }
    for service in file.service {
      let name = scope + service.name
      fileOfSymbol[name] = file.name
      for method in service.method { fileOfSymbol["\(name).\(method.name)"] = file.name }
    }
  }

  private mutating func add(
    _ message: Google_Protobuf_DescriptorProto, in scope: String, of file: String
  ) {
    let name = scope + message.name
    messages.insert(name)
    fileOfSymbol[name] = file
    for field in message.field { fileOfSymbol["\(name).\(field.name)"] = file }
    for oneof in message.oneofDecl { fileOfSymbol["\(name).\(oneof.name)"] = file }
    for nested in message.nestedType { add(nested, in: name + ".", of: file) }
    for enumeration in message.enumType { add(enumeration, in: name + ".", of: file) }
    for field in message.extension { add(extension: field, in: name + ".", of: file) }
  }

  private mutating func add(
    _ enumeration: Google_Protobuf_EnumDescriptorProto, in scope: String, of file: String
  ) {
    fileOfSymbol[scope + enumeration.name] = file
    // An enum's values are siblings of the enum.
    for value in enumeration.value { fileOfSymbol[scope + value.name] = file }
  }

  private mutating func add(
    extension field: Google_Protobuf_FieldDescriptorProto, in scope: String, of file: String
  ) {
    fileOfSymbol[scope + field.name] = file
    let extended =
      field.extendee.hasPrefix(".") ? String(field.extendee.dropFirst()) : field.extendee
    fileOfExtension[extended, default: [:]][field.number] = file
  }
}

extension Google_Protobuf_FileDescriptorProto {
  /// What comes before the names of the file's own declarations.
  fileprivate var scope: String { package.isEmpty ? "" : package + "." }
}
