import FoundationEssentials
import GRPCCore
import GRPCHTTP2Transport

extension Option<ServiceConfig> {
  /// How the calls to a service are made: gRPC's service config as JSON, or the file that holds it.
  ///
  /// - Parameters:
  ///   - defaultValue: The configuration where none is given.
  ///   - help: What the option is for.
  package static func serviceConfig(
    _ name: String, default defaultValue: ServiceConfig, help: String
  ) -> Option {
    var definition = OptionDefinition(name: name, placeholder: "CONFIG", help: help)
    definition.defaultText = "this build's own"
    return Option(definition, default: defaultValue) { (texts) throws(UsageError) in
      let text = texts.last ?? ""
      return try parse(text)
    }
  }

  private static func parse(_ text: String) throws(UsageError) -> ServiceConfig {
    let isJSON = text.first == "{"
    let origin = isJSON ? "what is given" : text
    do {
      let json = try isJSON ? Data(text.utf8) : Data(contentsOf: URL(filePath: text))
      let config = try JSONDecoder().decode(ServiceConfig.self, from: json)
      if !config.loadBalancingConfig.isEmpty {
        _ = try LoadBalancingPolicyRegistry.defaults.policy(for: config.loadBalancingConfig)
      }
      return config
    } catch let error as RuntimeError {
      throw UsageError("takes a service config, and \(origin) is none: \(error.message)")
    } catch DecodingError.dataCorrupted(let context) {
      throw UsageError(
        "takes a service config, and \(origin) is none: \(context.debugDescription)")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw UsageError(
        "takes a service config, and in \(origin) \(path) is wrong: \(context.debugDescription)")
    } catch DecodingError.keyNotFound(let key, _) {
      throw UsageError("takes a service config, and \(origin) lacks \(key.stringValue)")
    } catch {
      throw UsageError(
        "takes gRPC's service config as JSON, or a file that holds it, and \(text) cannot be read")
    }
  }
}
