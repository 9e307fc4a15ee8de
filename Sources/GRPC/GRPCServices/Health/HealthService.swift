import GRPCCore

/// gRPC's health checking, `grpc.health.v1.Health`: tells clients which services can take calls.
///
/// ```swift
/// let health = HealthService()
/// health.provider.updateStatus(.serving, forService: Greeter.descriptor)
/// let server = GRPCServer(transport: transport, services: [Greeter(), health])
/// ```
///
/// See "GRPC Health Checking Protocol" in gRPC's documents.
public struct HealthService: Sendable {
  /// Says how services are.
  public let provider: Provider
  let statuses: ServingStatuses

  /// Creates the service. The server as a whole, which has the empty name, is serving; the status of
  /// each service is unknown until the ``provider`` is told.
  public init() {
    statuses = ServingStatuses()
    provider = Provider(statuses: statuses)
    provider.updateStatus(.serving, forService: "")
  }

  /// Says how services are. Copies share what they say.
  public struct Provider: Sendable {
    let statuses: ServingStatuses

    /// Sets the status of a service, and tells those who watch it.
    ///
    /// - Parameters:
    ///   - status: Whether the service can take calls.
    ///   - service: The service.
    public func updateStatus(_ status: ServingStatus, forService service: ServiceDescriptor) {
      updateStatus(status, forService: service.fullyQualifiedService)
    }

    /// Sets the status of a service, and tells those who watch it.
    ///
    /// - Parameters:
    ///   - status: Whether the service can take calls.
    ///   - service: The service's name with its package; empty for the server as a whole.
    public func updateStatus(_ status: ServingStatus, forService service: String) {
      statuses.update(status, of: service)
    }
  }
}

/// Whether a service can take calls.
public struct ServingStatus: Sendable, Hashable {
  let message: Grpc_Health_V1_HealthCheckResponse.ServingStatus

  /// It can.
  public static let serving = Self(message: .serving)
  /// It cannot, now.
  public static let notServing = Self(message: .notServing)
}
