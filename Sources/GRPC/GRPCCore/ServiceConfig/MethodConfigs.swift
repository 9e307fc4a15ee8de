/// What a service's configuration says of each method, to be found at once.
package struct MethodConfigs: Sendable {
  private var configs: [MethodConfig.Name: MethodConfig] = [:]

  package init(_ config: ServiceConfig) {
    for config in config.methodConfig {
      // Of two that name the same method the first one counts.
      for name in config.names where configs[name] == nil { configs[name] = config }
    }
  }

  /// The configuration of a method's own name, or else of its service's, or of all.
  package subscript(method: MethodDescriptor) -> MethodConfig? {
    guard !configs.isEmpty else { return nil }
    let service = method.service.fullyQualifiedService
    return configs[MethodConfig.Name(service: service, method: method.method)]
      ?? configs[MethodConfig.Name(service: service)] ?? configs[MethodConfig.Name(service: "")]
  }
}
