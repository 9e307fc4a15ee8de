/// A service that handles only so many calls at a time.
///
/// ```swift
/// let limit = ConcurrencyLimit(unaryCalls: 1000, streamingCalls: 10_000, pushback: .seconds(1))
/// let server = GRPCServer(transport: transport, services: [Greeter().limited(by: limit), health])
/// ```
public struct ConcurrencyLimitedService: RegistrableRPCService {
  private let service: any RegistrableRPCService
  private let limit: ConcurrencyLimit
  private let exempt: Set<ServiceDescriptor>

  /// Wraps a service.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - limit: How many calls it handles at a time.
  ///   - exempt: Those of its services whose calls are always handled, and not counted.
  public init(
    _ service: any RegistrableRPCService, limit: ConcurrencyLimit,
    exempt: Set<ServiceDescriptor> = []
  ) {
    self.service = service
    self.limit = limit
    self.exempt = exempt
  }

  /// Registers the service's methods.
  ///
  /// - Parameter router: Where to register them.
  public func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
    router.register(service) { descriptor, method in
      if !exempt.contains(descriptor.service) { method.limit(by: limit) }
    }
  }
}

extension RegistrableRPCService {
  /// The same service, handling only so many calls at a time.
  ///
  /// - Parameters:
  ///   - limit: How many.
  ///   - exempt: Those of its services whose calls are always handled, and not counted.
  /// - Returns: The service, wrapped.
  public func limited(
    by limit: ConcurrencyLimit, exempt: Set<ServiceDescriptor> = []
  ) -> ConcurrencyLimitedService {
    ConcurrencyLimitedService(self, limit: limit, exempt: exempt)
  }
}

extension RPCRouter.Method {
  fileprivate mutating func limit(by limit: ConcurrencyLimit) {
    let (unary, streaming) = (unary, streaming)
    let isUnary = unary != nil
    if let unary {
      self.unary = { metadata, message, context in
        guard limit.enter(isUnary: true) else { return UnaryReply(error: limit.refusal) }
        defer { limit.leave(isUnary: true) }
        return await unary(metadata, message, context)
      }
    }
    self.streaming = { interceptors in
      let streaming = streaming(interceptors)
      return { stream, context in
        let stream = stream
        guard limit.enter(isUnary: isUnary) else {
          let refusal = limit.refusal
          try? await stream.outbound.write(.status(Status(refusal), refusal.metadata))
          return await stream.outbound.finish()
        }
        defer { limit.leave(isUnary: isUnary) }
        await streaming(stream, context)
      }
    }
  }
}
