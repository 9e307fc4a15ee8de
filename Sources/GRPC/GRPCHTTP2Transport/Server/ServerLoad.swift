import GRPCCore
import Synchronization

/// A server's load, which it reports to its clients, so that they can balance by it.
///
/// ```swift
/// let load = ServerLoad()
/// let server = GRPCServer(
///   transport: transport, services: [service, load.service()], interceptors: [load.interceptor])
/// load.report = LoadReport(cpuUtilization: 0.4, requestsPerSecond: 1200)
/// ```
///
/// See gRPC's proposal A51.
public final class ServerLoad: Sendable {
  private let current = Mutex(LoadReport())

  /// Makes a load of which nothing is known yet.
  public init() {}

  /// What is reported from now on.
  public var report: LoadReport {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// The service by which clients are told beside their calls.
  ///
  /// - Parameters:
  ///   - minimumInterval: How long at least it is from report to report, whatever a client asks for.
  ///   - clock: Measures that.
  /// - Returns: `xds.service.orca.v3.OpenRcaService`.
  public func service(
    minimumInterval: Duration = .seconds(1), clock: some Clock<Duration> = ContinuousClock()
  ) -> some RegistrableRPCService {
    LoadReportService(load: self, minimumInterval: minimumInterval, clock: clock)
  }

  /// Has each response carry a report at its end.
  public var interceptor: some ServerInterceptor { LoadReportInterceptor(load: self) }
}

private struct LoadReportInterceptor: ServerInterceptor {
  let load: ServerLoad

  func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws ->
      StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    var response = try await next(request, context)
    if case .success(var contents) = response.accepted {
      let producer = contents.producer
      contents.producer = { writer in
        var trailers = try await producer(writer)
        trailers.addLoadReport(load.report)
        return trailers
      }
      response.accepted = .success(contents)
    }
    return response
  }
}
