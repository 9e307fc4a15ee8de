/// The options that only the generator of services has.
struct ServiceOptions: Sendable {
  /// Options `Server` and `Client`: whether the code of that side is generated.
  var generatesServers = true
  var generatesClients = true
  /// Options `GRPCModuleName` and `GRPCProtobufModuleName`: what the runtime's modules are called.
  var coreModule = "GRPCCore"
  var protobufModule = "GRPCProtobuf"
  /// Option `ExtraModuleImports`, which may be repeated.
  var extraImports: [String] = []
  /// Option `Availability`, which may be repeated: an operating system and its oldest version.
  var availability: [String] = []

  /// Takes over one parameter.
  ///
  /// - Returns: whether it is one of these options.
  /// - Throws: ``GeneratorError`` if its value is wrong.
  mutating func set(_ parameter: GeneratorParameter) throws -> Bool {
    switch parameter.name {
    case "Server": generatesServers = try parameter.bool()
    case "Client": generatesClients = try parameter.bool()
    case "GRPCModuleName": coreModule = try parameter.moduleName()
    case "GRPCProtobufModuleName": protobufModule = try parameter.moduleName()
    case "ExtraModuleImports": extraImports.append(try parameter.moduleName())
    case "Availability": availability.append(try parameter.platform())
    case "ReflectionData":
      throw GeneratorError.invalidOption(
        name: parameter.name, value: parameter.value,
        expected: "protoc's --descriptor_set_out, whose output the reflection service serves")
    default: return false
    }
    return true
  }
}

extension GeneratorParameter {
  /// The value as an operating system and its version, as in `macOS 15.0`.
  fileprivate func platform() throws -> String {
    let words = value.split(separator: " ")
    let isPlatform =
      words.count == 2 && words[0].allSatisfy(\.isLetter)
      && words[1].allSatisfy { $0.isNumber || $0 == "." }
    guard isPlatform else {
      throw GeneratorError.invalidOption(
        name: name, value: value, expected: "an operating system and a version, as in 'macOS 15.0'")
    }
    return words.joined(separator: " ")
  }
}
