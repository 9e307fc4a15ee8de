import FoundationEssentials

/// The options that the generators share.
public struct GeneratorOptions: Sendable {
  /// Who may use what is generated.
  public enum Visibility: String, CaseIterable, Sendable {
    case `internal` = "Internal"
    case `public` = "Public"
    case `package` = "Package"

    /// The keyword before a declaration, with a space behind it; empty for `internal`.
    public var modifier: String {
      switch self {
      case .internal: ""
      case .public: "public "
      case .package: "package "
      }
    }

    /// The keyword before an import.
    public var keyword: String { rawValue.lowercased() }
  }

  /// How output files are named after .proto files.
  public enum FileNaming: String, CaseIterable, Sendable {
    case fullPath = "FullPath"
    case pathToUnderscores = "PathToUnderscores"
    case dropPath = "DropPath"

    /// The output file for a .proto file.
    ///
    /// - Parameters:
    ///   - path: of the .proto file.
    ///   - suffix: such as `.pb.swift`.
    public func outputName(for path: String, suffix: String) -> String {
      let stem = path.hasSuffix(".proto") ? String(path.dropLast(6)) : path
      switch self {
      case .fullPath: return stem + suffix
      case .pathToUnderscores: return String(stem.map { $0 == "/" ? "_" : $0 }) + suffix
      case .dropPath: return (stem.split(separator: "/").last.map(String.init) ?? stem) + suffix
      }
    }
  }

  /// Option `Visibility`.
  public var visibility = Visibility.internal
  /// Option `FileNaming`.
  public var fileNaming = FileNaming.fullPath
  /// Option `ProtoPathModuleMappings`.
  public var moduleMappings = ModuleMappings()
  /// Option `UseAccessLevelOnImports`.
  public var usesAccessLevelOnImports = false
  /// Option `ImplementationOnlyImports`.
  public var hidesImports = false
  /// Option `SwiftProtobufModuleName`: what the runtime's module is called.
  public var runtimeModule = "SwiftProtobuf" {
    didSet { moduleMappings.runtime = runtimeModule }
  }
  /// Option `Config`: the configuration of the build plugin, which the other options come from.
  var config: GeneratorConfig?
  /// Option `Plan`: what of the configuration the build was planned by.
  private var plan: String?

  /// The defaults.
  public init() {}

  /// Takes over one parameter.
  ///
  /// - Returns: whether it is one of these options.
  /// - Throws: ``GeneratorError`` if its value is wrong.
  public mutating func set(_ parameter: GeneratorParameter) throws -> Bool {
    switch parameter.name {
    case "Visibility": visibility = try parameter.choice()
    case "FileNaming": fileNaming = try parameter.choice()
    case "ProtoPathModuleMappings":
      guard !parameter.value.isEmpty else { break }
      moduleMappings = try ModuleMappings(contentsOf: parameter.value)
      moduleMappings.runtime = runtimeModule
    case "SwiftProtobufModuleName": runtimeModule = try parameter.moduleName()
    case "UseAccessLevelOnImports": usesAccessLevelOnImports = try parameter.bool()
    case "ImplementationOnlyImports": hidesImports = try parameter.bool()
    case "Config": try set(config: parameter.value)
    case "Plan": plan = parameter.value
    default: return false
    }
    return true
  }

  private mutating func set(config path: String) throws {
    let url = URL(filePath: path.replacing("%2C", with: ",").replacing("%25", with: "%"))
    guard let data = FileManager.default.contents(atPath: url.path) else {
      throw GeneratorError.badConfig(url, reason: "the file can't be read")
    }
    let config = try GeneratorConfig(parsing: data, from: url)
    visibility = try GeneratorParameter(
      name: "Visibility", value: config.accessLevel.rawValue
    ).choice()
    usesAccessLevelOnImports = config.accessLevelOnImports
    self.config = config
  }

  /// Makes sure that the options go together.
  ///
  /// - Throws: ``GeneratorError`` if they do not.
  public func validate() throws {
    if let config, let plan, config.plan != plan {
      throw GeneratorError.badConfig(
        config.url,
        reason: "protoc or its import paths have changed since the build was planned; "
          + "touch Package.swift and build again")
    }
    guard hidesImports else { return }
    guard visibility == .internal else {
      throw GeneratorError.invalidOption(
        name: "ImplementationOnlyImports", value: "true",
        expected: "it with Visibility=Internal, since what others see may not hide its imports")
    }
    guard !usesAccessLevelOnImports else {
      throw GeneratorError.invalidOption(
        name: "ImplementationOnlyImports", value: "true",
        expected: "either it or UseAccessLevelOnImports")
    }
  }

  /// The import of a module.
  ///
  /// - Parameters:
  ///   - module: its name.
  ///   - isExposed: whether signatures have its types, and not only the bodies of functions.
  public func importStatement(_ module: String, isExposed: Bool = true) -> String {
    // Swift 6 has `internal import` for what `@_implementationOnly` was, and warns of the latter.
    if hidesImports { return "internal import \(module)" }
    guard usesAccessLevelOnImports else { return "import \(module)" }
    return "\(isExposed ? visibility.keyword : "internal") import \(module)"
  }
}

extension GeneratorParameter {
  /// The value as the name of a module.
  public func moduleName() throws -> String {
    let isIdentifier =
      value.first?.isNumber == false
      && value.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    guard isIdentifier else {
      throw GeneratorError.invalidOption(name: name, value: value, expected: "the name of a module")
    }
    return value
  }

  /// The value as one of a fixed set, whatever its case and with or without underscores.
  public func choice<Choice: RawRepresentable<String> & CaseIterable>() throws -> Choice {
    let wanted = value.lowercased().filter { $0 != "_" }
    guard
      let choice = Choice.allCases.first(where: { $0.rawValue.lowercased() == wanted })
    else {
      throw GeneratorError.invalidOption(
        name: name, value: value,
        expected: Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// The value as yes or no.
  public func bool() throws -> Bool {
    switch value.lowercased() {
    case "true", "1", "yes", "": true
    case "false", "0", "no": false
    default:
      throw GeneratorError.invalidOption(name: name, value: value, expected: "true or false")
    }
  }
}
