import SwiftProtobuf

/// Writes what is generated for one service, in the shape of grpc-swift-2.
struct ServiceGenerator {
  let service: ServiceDescriptor
  let methods: [MethodShape]
  /// The keyword before a declaration, with a space behind it.
  let access: String
  /// What the modules of the runtime are called.
  let core: String
  let protobuf: String
  private let availability: [String]

  init(_ service: ServiceDescriptor, resolver: TypeResolver, options: ServiceOptions) throws {
    self.service = service
    core = options.coreModule
    protobuf = options.protobufModule
    availability = options.availability
    methods = try service.methods.map { try MethodShape($0, resolver: resolver) }
    access = resolver.options.visibility.modifier
  }

  /// The namespace of the service.
  var namespace: String { service.swiftName }

  /// The service's descriptor as a member of `ServiceDescriptor`: `grpc_health_v1_Health`.
  private var descriptorName: String {
    String(service.fullName.map { $0 == "." ? "_" : $0 })
  }

  /// Writes a declaration at the top of the file.
  func writeTopLevel(
    _ head: String, to writer: inout SourceWriter, _ body: (inout SourceWriter) -> Void
  ) {
    if !availability.isEmpty {
      writer.line("@available(\((availability + ["*"]).joined(separator: ", ")))")
    }
    writer.block(head, body)
  }

  /// Writes the namespace with the descriptors of the service and its methods.
  func writeDescriptors(to writer: inout SourceWriter) {
    writer.line("")
    writer.documentation(
      service.comment.isEmpty ? ["The service \(service.fullName)."] : service.comment)
    writeTopLevel("\(access)enum \(namespace): Sendable", to: &writer) { writer in
      writer.documentation(["The service's descriptor."])
      writer.line(
        "\(access)static let descriptor = "
          + "\(core).ServiceDescriptor(fullyQualifiedService: \"\(service.fullName)\")")
      writer.line("")
      writer.documentation(["The service's methods."])
      writer.block("\(access)enum Method: Sendable") { writer in
        for method in methods { write(method, to: &writer) }
        writer.documentation(["The descriptors of the service's methods."])
        writer.line("\(access)static let descriptors: [\(core).MethodDescriptor] = [")
        writer.indented { writer in
          writer.lines(methods.map { "`\($0.name)`.descriptor," })
        }
        writer.line("]")
      }
    }
    writer.line("")
    writeTopLevel("extension \(core).ServiceDescriptor", to: &writer) { writer in
      writer.documentation(["The descriptor of \(service.fullName)."])
      writer.line(
        "\(access)static let \(descriptorName) = "
          + "\(core).ServiceDescriptor(fullyQualifiedService: \"\(service.fullName)\")")
    }
  }

  private func write(_ method: MethodShape, to writer: inout SourceWriter) {
    writer.documentation(
      method.comment.isEmpty ? ["The method \(method.name)."] : method.comment)
    writer.block("\(access)enum `\(method.name)`: Sendable") { writer in
      writer.documentation(["The type of the request."])
      writer.line("\(access)typealias Input = \(method.input)")
      writer.documentation(["The type of the response."])
      writer.line("\(access)typealias Output = \(method.output)")
      writer.documentation(["The method's descriptor."])
      writer.line("\(access)static let descriptor = \(core).MethodDescriptor(")
      writer.indented { writer in
        writer.line("service: \(namespace).descriptor, method: \"\(method.name)\",")
        writer.line("type: .\(method.kind.rawValue))")
      }
    }
    writer.line("")
  }
}
