import GRPCCore

extension HealthService: Grpc_Health_V1_Health.SimpleServiceProtocol {
  // Whoever watches has the name kept for as long.
  private static var longestName: Int { 1024 }

  private func check(name: String) throws(RPCError) {
    guard name.utf8.count <= Self.longestName else {
      throw RPCError(
        code: .invalidArgument,
        message: "service has \(name.utf8.count) bytes; a service's name has at most "
          + "\(Self.longestName).")
    }
  }

  /// Answers with the status of one service.
  ///
  /// - Throws: `RPCError` NOT_FOUND where the service's status is unknown, and INVALID_ARGUMENT where its
  ///   name is far too long.
  public func check(
    request: Grpc_Health_V1_HealthCheckRequest, context: ServerContext
  ) async throws -> Grpc_Health_V1_HealthCheckResponse {
    try check(name: request.service)
    guard let status = statuses.status(of: request.service) else {
      throw RPCError(
        code: .notFound, message: "The health of the service '\(request.service)' is not known.")
    }
    return .with { $0.status = status.message }
  }

  /// Answers with the status of every service.
  public func list(
    request: Grpc_Health_V1_HealthListRequest, context: ServerContext
  ) async throws -> Grpc_Health_V1_HealthListResponse {
    .with { response in
      response.statuses = statuses.all.mapValues { status in .with { $0.status = status.message } }
    }
  }

  /// Sends the status of one service at once, and then each time it changes. A service whose status
  /// is unknown may get one later.
  ///
  /// A client that reads slowly is sent the newest status, not every one.
  ///
  /// - Throws: `RPCError` INVALID_ARGUMENT where the service's name is far too long.
  public func watch(
    request: Grpc_Health_V1_HealthCheckRequest,
    response: RPCWriter<Grpc_Health_V1_HealthCheckResponse>, context: ServerContext
  ) async throws {
    try check(name: request.service)
    var last: Grpc_Health_V1_HealthCheckResponse.ServingStatus?
    for await status in statuses.changes(of: request.service) {
      let current = status?.message ?? .serviceUnknown
      if current != last { try await response.write(.with { $0.status = current }) }
      last = current
    }
    // Only cancellation ends the changes.
    throw CancellationError()
  }
}
