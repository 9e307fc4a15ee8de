/// A service whose methods a server can serve. Generated code conforms to it.
public protocol RegistrableRPCService: Sendable {
  /// Registers the service's methods.
  ///
  /// - Parameter router: Where to register them.
  func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>)
}
