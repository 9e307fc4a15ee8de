import SwiftProtobuf

/// Writes an enum.
struct EnumGenerator {
  private let type: EnumDescriptor
  private let names: EnumCaseNames
  private let visibility: String
  private let runtime: String

  init(_ type: EnumDescriptor, resolver: TypeResolver) {
    self.type = type
    names = EnumCaseNames(type)
    visibility = resolver.options.visibility.modifier
    runtime = resolver.runtime
  }

  private var cases: [EnumCaseNames.Value] { names.values.filter { !$0.isAlias } }

  func write(to writer: inout SourceWriter) {
    writer.documentation(type.comment)
    let raw = type.isClosed ? "Int, " : ""
    writer.block("\(visibility)enum \(type.swiftRelativeName): \(raw)\(runtime)Enum") { writer in
      for value in names.values { writeCase(value, to: &writer) }
      if !type.isClosed { writer.line("case UNRECOGNIZED(Int)") }
      writer.line("")
      writer.line("\(visibility)init() { self = .\(cases.first?.name ?? "UNRECOGNIZED(0)") }", "")
      if !type.isClosed { writeRawValue(to: &writer) }
      writer.line(
        "\(visibility)static let _protobufNames = \(runtime)EnumTable(\(DefaultValue.literal(table)))"
      )
    }
    writer.line("")
  }

  private func writeCase(_ value: EnumCaseNames.Value, to writer: inout SourceWriter) {
    writer.documentation(type.valueComments[value.index])
    if value.isAlias, let original = names.name(of: value.number) {
      writer.line("\(visibility)static let \(value.name) = \(type.swiftRelativeName).\(original)")
    } else if type.isClosed {
      writer.line("case \(value.name) = \(value.number)")
    } else {
      writer.line("case \(value.name)  // = \(value.number)")
    }
  }

  private func writeRawValue(to writer: inout SourceWriter) {
    writer.block("\(visibility)init?(rawValue: Int)") { writer in
      writer.line("switch rawValue {")
      for value in cases { writer.line("case \(value.number): self = .\(value.name)") }
      writer.line("default: self = .UNRECOGNIZED(rawValue)", "}")
    }
    writer.line("")
    writer.block("\(visibility)var rawValue: Int") { writer in
      writer.line("switch self {")
      for value in cases { writer.line("case .\(value.name): \(value.number)") }
      writer.line("case .UNRECOGNIZED(let number): number", "}")
    }
    writer.line("")
    writer.line("// The compiler makes none for an enum with an associated value.")
    writer.line("\(visibility)static let allCases: [\(type.swiftRelativeName)] = [")
    writer.indented { $0.lines(cases.map { ".\($0.name)," }) }
    writer.line("]")
    writer.line("")
  }

  private var table: String {
    type.proto.value.map { "\($0.number) \($0.name)" }.joined(separator: " ")
  }
}
