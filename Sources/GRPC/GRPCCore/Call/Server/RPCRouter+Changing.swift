extension RPCRouter {
  /// Registers all methods of a service, each of them changed.
  mutating func register(
    _ service: any RegistrableRPCService,
    changing change: (_ descriptor: MethodDescriptor, _ method: inout Method) -> Void
  ) {
    var methods = RPCRouter()
    service.registerMethods(with: &methods)
    for (descriptor, method) in methods.table {
      var method = method
      change(descriptor, &method)
      table[descriptor] = method
    }
  }
}
