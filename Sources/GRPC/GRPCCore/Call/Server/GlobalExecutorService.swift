/// A service whose handlers run on Swift's global executor.
///
/// A transport may run handlers on the thread that also reads and writes their connections, which is
/// the quickest for handlers that wait and compute little. Handlers that block, or compute for long,
/// would hold up everything else there: they belong on the global executor, with its thread per
/// processor, for a hop to it and back with each call.
///
/// ```swift
/// let server = GRPCServer(transport: transport, services: [Thumbnails().onGlobalExecutor()])
/// ```
public struct GlobalExecutorService: RegistrableRPCService {
  private let service: any RegistrableRPCService

  /// Wraps a service.
  ///
  /// - Parameter service: The service.
  public init(_ service: any RegistrableRPCService) {
    self.service = service
  }

  /// Registers the service's methods.
  ///
  /// - Parameter router: Where to register them.
  public func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.register(service) { _, method in method.move(to: globalConcurrentExecutor) }
  }
}

extension RegistrableRPCService {
  /// The same service with its handlers on Swift's global executor.
  ///
  /// - Returns: The service, wrapped.
  public func onGlobalExecutor() -> GlobalExecutorService {
    GlobalExecutorService(self)
  }
}

extension RPCRouter.Method {
  fileprivate mutating func move(to executor: any TaskExecutor) {
    let (unary, streaming) = (unary, streaming)
    if let unary {
      self.unary = { metadata, message, context in
        await withTaskExecutorPreference(executor) { await unary(metadata, message, context) }
      }
    }
    self.streaming = { interceptors in
      let streaming = streaming(interceptors)
      return { stream, context in
        let stream = stream
        await withTaskExecutorPreference(executor) { await streaming(stream, context) }
      }
    }
  }
}
