import GRPCCore

extension Channel {
  /// Takes the resolver's latest endpoints. Subchannels to those that it had before are kept.
  func didResolve(_ result: NameResolutionResult) {
    guard phase == .running || phase == .draining else { return }
    var former: [Endpoint: ConnectedEndpoint] = [:]
    for connected in endpoints ?? [] { former[connected.endpoint] = connected }
    var current: [ConnectedEndpoint] = []
    var known: Set<Endpoint> = []
    for endpoint in result.endpoints where known.insert(endpoint).inserted {
      let connected = former.removeValue(forKey: endpoint)
      current.append(connected ?? connectedEndpoint(endpoint))
    }
    endpoints = current
    balance()
    // The new picker is in place, so that calls which wait find the way there.
    for connected in former.values {
      for subchannel in connected.subchannels { retire(subchannel) }
    }
  }

  private func connectedEndpoint(_ endpoint: Endpoint) -> ConnectedEndpoint {
    ConnectedEndpoint(
      endpoint: endpoint,
      subchannels: endpoint.addresses.map { address in
        subchannels.insert { Subchannel(id: $0, address: address, channel: self) }
      })
  }

  private func retire(_ subchannel: Subchannel) {
    subchannels.remove(subchannel.id)
    retired.append(subchannel)
    subchannel.shutDown()
    subchannelDidClose()
  }

  /// Takes it that the target cannot be resolved. The last endpoints, if there are any, remain in force.
  func didFailToResolve(_ error: any Error) {
    guard endpoints == nil, phase == .running || phase == .draining else { return }
    let error =
      error as? RPCError
      ?? RPCError(code: .unavailable, message: "The name was not resolved: \(error)")
    picker = FixedPicker(.fail(error))
    connectivity.publish(.transientFailure)
    pickForWaiting()
  }

  /// A subchannel's state has changed.
  func subchannelDidChange() {
    balance()
  }

  /// One more connection of a subchannel is closed.
  func subchannelDidClose() {
    retired.removeAll(where: \.isClosed)
    stopIfDrained()
  }

  /// Lets the policy decide and does what it says, again if that has changed something.
  func balance() {
    needsBalancing = true
    guard !isBalancing else { return }
    isBalancing = true
    defer { isBalancing = false }
    while needsBalancing, let endpoints, phase == .running || phase == .draining {
      needsBalancing = false
      let view = LoadBalancingView(
        endpoints: endpoints.map {
          EndpointStatus(endpoint: $0.endpoint, subchannels: $0.subchannels.map(\.status))
        }, isWanted: isWanted || hasWaitingCalls)
      isWanted = false
      let decision = policy.update(view)
      picker = decision.picker
      connectivity.publish(decision.state)
      for id in decision.release { subchannels[id]?.release() }
      for id in decision.connect { subchannels[id]?.connect() }
      if !needsBalancing { pickForWaiting() }
    }
  }
}
