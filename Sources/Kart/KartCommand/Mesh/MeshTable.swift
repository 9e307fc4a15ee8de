import KartAPI

/// The status of a mesh for people.
enum MeshTable {
  /// The whole text.
  static func text(_ status: Swiftkart_Mesh_V1_GetStatusResponse) -> String {
    status.upstreams.map(text).joined(separator: "\n")
  }

  /// The same in lines for a terminal, of which none is wider than it and no more come than it shows.
  static func lines(
    _ status: Swiftkart_Mesh_V1_GetStatusResponse, width: Int, height: Int
  ) -> [FollowTable.Line] {
    text(status).split(separator: "\n", omittingEmptySubsequences: false).dropLast().prefix(height)
      .map { line in
        FollowTable.Line(text: String(line), style: line.hasPrefix(" ") ? .plain : .heading)
          .fitted(to: width)
      }
  }

  private static func text(_ upstream: Swiftkart_Mesh_V1_Upstream) -> String {
    var title = TextTable([
      "\(upstream.name): \(name(upstream.connectivity)), \(upstream.policy), \(upstream.target)"
    ])
    title.append([
      "  \(upstream.attempts) attempts, \(upstream.retries) retries, "
        + "\(upstream.transparentRetries) transparent retries, \(upstream.hedges) hedges, "
        + "\(upstream.ejections) ejections, \(upstream.waitingCalls) calls waiting"
    ])
    guard !upstream.endpoints.isEmpty else {
      return title.text + "  \(upstream.resolved ? "no endpoints" : "not resolved yet")\n"
    }
    var table = TextTable([
      "  ENDPOINT", "STATE", "CALLS", "FAILED", "EJECTIONS", "CONNECTED", "LOST", "NOT CONNECTED",
      "LAST ERROR",
    ])
    for endpoint in upstream.endpoints {
      table.append([
        "  \(endpoint.address)", endpoint.ejected ? "ejected" : name(endpoint.connectivity),
        "\(endpoint.picks)", "\(endpoint.failedCalls)", "\(endpoint.ejections)",
        "\(endpoint.connectionsMade)", "\(endpoint.disconnections)",
        "\(endpoint.connectionsFailed)", endpoint.lastError,
      ])
    }
    return title.text + table.text
  }

  private static func name(_ connectivity: Swiftkart_Mesh_V1_Connectivity) -> String {
    switch connectivity {
    case .idle: "idle"
    case .connecting: "connecting"
    case .ready: "ready"
    case .transientFailure: "failing"
    case .shutdown: "shut down"
    case .unspecified, .UNRECOGNIZED: "unknown"
    }
  }
}
