import GRPCCore

extension Channel {
  /// Takes the resolver's latest endpoints. Subchannels to those that it had before are kept.
  func didResolve(_ result: NameResolutionResult) {
    guard phase == .running || phase == .draining, activity != .idle else { return }
    if let failure = result.failure, result.endpoints.isEmpty { return didFailToResolve(failure) }
    activity = .active
    var former: [EndpointIdentity: ConnectedEndpoint] = [:]
    for connected in endpoints ?? [] { former[connected.endpoint.identity] = connected }
    var current: [ConnectedEndpoint] = []
    var known: Set<EndpointIdentity> = []
    for endpoint in result.endpoints where known.insert(endpoint.identity).inserted {
      if let connected = former.removeValue(forKey: endpoint.identity) {
        current.append(
          ConnectedEndpoint(endpoint: endpoint, subchannels: connected.subchannels))
      } else {
        current.append(connectedEndpoint(endpoint))
      }
    }
    endpoints = current
    didResolve(result.serviceConfig)
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
        let way = connection(to: address, of: endpoint)
        let counters = addressCounters.counters(at: address)
        return subchannels.insert {
          Subchannel(id: $0, over: way, counters: counters, channel: self)
        }
      })
  }

  private func connection(to address: SocketAddress, of endpoint: Endpoint) -> AddressConnection {
    if let pool = configuration.connectionPool,
      let key = ConnectionPool.Key(
        address, of: endpoint, authority: authority, security: security?.identity, configuration)
    {
      return pool.connection(key, backoff: configuration.backoff)
    }
    return AddressConnection(to: address, backoff: configuration.backoff, on: loop)
  }

  private func retire(_ subchannel: Subchannel) {
    subchannels.remove(subchannel.id)
    retired.append(subchannel)
    subchannel.shutDown()
    subchannel.counters.add(subchannel.way)
    addressCounters.release(subchannel.address)
    subchannelDidClose()
  }

  /// Takes it that the target cannot be resolved. The last endpoints, if there are any, remain in force.
  func didFailToResolve(_ error: any Error) {
    guard phase == .running || phase == .draining, activity != .idle else { return }
    let wasWaking = activity == .waking
    activity = .active
    guard endpoints == nil else {
      if wasWaking { balance() }
      return
    }
    let error =
      error as? RPCError
      ?? RPCError(code: .unavailable, message: "The name was not resolved: \(error)")
    picker = FixedPicker(.fail(error))
    connectivity.publish(.transientFailure)
    pickForWaiting()
  }

  /// Ends all waits that failures have brought about, the resolver's and those between attempts to connect.
  func resetBackoff() {
    resolverRest?.cancel()
    for subchannel in (endpoints ?? []).flatMap(\.subchannels) { subchannel.way.resetBackoff() }
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
    while needsBalancing, activity == .active, let endpoints,
      phase == .running || phase == .draining
    {
      needsBalancing = false
      isWantedByCalls = isWanted || hasWaitingCalls
      let view = LoadBalancingView(
        endpoints: endpoints.map {
          EndpointStatus(endpoint: $0.endpoint, subchannels: $0.subchannels.map(\.status))
        }, isWanted: isWantedByCalls)
      let former = wakeAt
      isWanted = false
      let decision = policy.update(view)
      picker = decision.picker
      didEject(decision.ejected)
      connectivity.publish(decision.state)
      for id in decision.release { subchannels[id]?.release() }
      for id in decision.connect { subchannels[id]?.connect() }
      wake(at: decision.wakeAt, former)
      if !needsBalancing { pickForWaiting() }
    }
    isBalancing = false
    // The calls that kept a shutdown waiting may just have been sent.
    stopIfDrained()
  }

  /// Has the policy decide anew at a certain time.
  private func wake(
    at instant: ContinuousClock.Instant?, _ former: ContinuousClock.Instant?
  ) {
    guard instant != former || wakeTimer == nil else { return }
    wakeTimer?.cancel()
    wakeAt = instant
    wakeTimer = instant.map { instant in
      loop.schedule(at: instant) { [self] in
        wakeTimer = nil
        wakeAt = nil
        balance()
      }
    }
  }

  /// Has the policy decide at no certain time.
  func stopWaking() {
    wakeTimer?.cancel()
    wakeTimer = nil
    wakeAt = nil
  }
}
