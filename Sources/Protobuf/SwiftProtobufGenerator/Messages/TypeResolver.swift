import SwiftProtobuf

/// How one file's code refers to the types of others.
public struct TypeResolver: Sendable {
  /// Every file of the request.
  public let pool: DescriptorPool
  /// The file that is being generated.
  public let file: FileDescriptor
  /// The options.
  public let options: GeneratorOptions

  /// Creates a resolver.
  public init(pool: DescriptorPool, file: FileDescriptor, options: GeneratorOptions) {
    self.pool = pool
    self.file = file
    self.options = options
  }

  /// What the names of the runtime begin with: nothing inside of the runtime.
  var runtime: String {
    let module = options.moduleMappings.runtime
    return options.moduleMappings.module(of: file.name) == module ? "" : "\(module)."
  }

  /// The Swift name of a message, with its module where that is another one.
  public func messageType(_ fullName: String) throws -> String {
    let message = try pool.message(fullName)
    return modulePrefix(of: message.file) + message.swiftName
  }

  /// The Swift name of an enum, with its module where that is another one.
  public func enumType(_ fullName: String) throws -> String {
    let type = try pool.enumType(fullName)
    return modulePrefix(of: type.file) + type.swiftName
  }

  func modulePrefix(of path: String) -> String { otherModule(of: path).map { "\($0)." } ?? "" }

  /// The module of a file's types; nil if it is this file's own, or not known.
  private func otherModule(of path: String) -> String? {
    let module = options.moduleMappings.module(of: path)
    return module == options.moduleMappings.module(of: file.name) ? nil : module
  }

  /// The other modules that messages are in.
  func modules(of messages: [String]) throws -> Set<String> {
    Set(try messages.compactMap { otherModule(of: try pool.message($0).file) })
  }

  /// The modules to import: the runtime, and those of the files that this one can use types of.
  public var modules: [String] {
    let own = options.moduleMappings.module(of: file.name)
    var modules: Set<String> = [options.moduleMappings.runtime]
    for dependency in file.dependencies.flatMap(\.publicClosure) {
      if let module = options.moduleMappings.module(of: dependency.name) { modules.insert(module) }
    }
    if let own { modules.remove(own) }
    return modules.sorted()
  }
}
