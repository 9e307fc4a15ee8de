import GRPCCore
import GRPCHTTP2Transport
import KartAPI

/// Shows the gateway's channels to whoever runs it.
package struct MeshAdminProvider: Swiftkart_Mesh_V1_MeshAdminService.SimpleServiceProtocol {
  /// A channel, and what the gateway calls the services behind it.
  package struct Upstream: Sendable {
    let name: String
    let status: @Sendable () async -> ChannelStatus

    /// - Parameters:
    ///   - name: Such as "schedule".
    ///   - status: The channel's status when it is asked for.
    package init(_ name: String, status: @escaping @Sendable () async -> ChannelStatus) {
      self.name = name
      self.status = status
    }
  }

  private let upstreams: [Upstream]

  /// - Parameter upstreams: The channels, in the order in which they are shown.
  package init(_ upstreams: [Upstream]) {
    self.upstreams = upstreams
  }

  package func getStatus(
    request: Swiftkart_Mesh_V1_GetStatusRequest, context: ServerContext
  ) async throws -> Swiftkart_Mesh_V1_GetStatusResponse {
    var response = Swiftkart_Mesh_V1_GetStatusResponse()
    for upstream in upstreams {
      response.upstreams.append(.init(upstream.name, await upstream.status()))
    }
    return response
  }
}

extension Swiftkart_Mesh_V1_Upstream {
  init(_ name: String, _ status: ChannelStatus) {
    self.init()
    self.name = name
    target = status.target
    connectivity = .init(status.state)
    policy = status.policy
    resolved = status.endpoints != nil
    endpoints = (status.endpoints ?? []).flatMap { endpoint in
      endpoint.subchannels.map { .init(endpoint.endpoint, $0) }
    }
    waitingCalls = Int64(status.waitingCalls)
    attempts = Int64(status.attemptsStarted)
    retries = Int64(status.retries)
    transparentRetries = Int64(status.transparentRetries)
    hedges = Int64(status.hedges)
    ejections = Int64(status.ejections)
  }
}

extension Swiftkart_Mesh_V1_Endpoint {
  fileprivate init(_ endpoint: Endpoint, _ subchannel: ChannelStatus.Subchannel) {
    self.init()
    address = "\(subchannel.address)"
    connectivity = .init(subchannel.state)
    ejected = subchannel.isEjected
    lastError = subchannel.failure?.message ?? ""
    weight = Int32(clamping: endpoint.weight)
    priority = Int32(clamping: endpoint.priority)
    zone = endpoint.zone
    picks = Int64(subchannel.picks)
    failedCalls = Int64(subchannel.failedCalls)
    ejections = Int64(subchannel.ejections)
    connectionsMade = Int64(subchannel.connectionsMade)
    connectionsFailed = Int64(subchannel.connectionsFailed)
    disconnections = Int64(subchannel.disconnections)
    openConnections = Int64(subchannel.openConnections)
  }
}

extension Swiftkart_Mesh_V1_Connectivity {
  fileprivate init(_ state: ConnectivityState) {
    self =
      switch state {
      case .idle: .idle
      case .connecting: .connecting
      case .ready: .ready
      case .transientFailure: .transientFailure
      case .shutdown: .shutdown
      }
  }
}
