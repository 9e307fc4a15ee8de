extension Channel {
  /// What has happened since the channel was made.
  struct Counters {
    var attempts = 0
    var retries = 0
    var transparentRetries = 0
    var hedges = 0
    var ejections = 0
  }

  func status(of target: String) -> ChannelStatus {
    ChannelStatus(
      target: target, state: connectivity.current, policy: type(of: policy).name,
      waitingCalls: waitingCallCount, attemptsStarted: counters.attempts,
      retries: counters.retries, transparentRetries: counters.transparentRetries,
      hedges: counters.hedges, ejections: counters.ejections,
      policyCounters: policy.counters.merging(formerPolicyCounters, uniquingKeysWith: +),
      endpoints: endpoints.map { endpoints in
        endpoints.map { connected in
          ChannelStatus.Endpoint(
            endpoint: connected.endpoint,
            subchannels: connected.subchannels.map {
              $0.channelStatus(isEjected: ejected.contains($0.id))
            })
        }
      })
  }

  /// Takes it that the policy has taken these subchannels out.
  func didEject(_ ids: [SubchannelID]) {
    guard !ids.isEmpty || !ejected.isEmpty else { return }
    let former = ejected
    ejected = Set(ids)
    for id in ejected.subtracting(former) {
      counters.ejections += 1
      subchannels[id]?.counters.ejections += 1
    }
  }
}

extension Subchannel {
  fileprivate func channelStatus(isEjected: Bool) -> ChannelStatus.Subchannel {
    let status = status
    let disconnections = way.disconnections.merging(counters.disconnections, uniquingKeysWith: +)
    return ChannelStatus.Subchannel(
      address: address, state: status.state, isEjected: isEjected, failure: status.failure,
      picks: counters.picks, failedCalls: counters.failedCalls, ejections: counters.ejections,
      connectionsMade: counters.connectionsMade + way.connectionsMade,
      connectionsFailed: counters.connectionsFailed + way.connectionsFailed,
      disconnections: disconnections.values.reduce(0, +),
      disconnectErrors: Dictionary(
        uniqueKeysWithValues: disconnections.map { ($0.key.text, $0.value) }),
      openConnections: way.openConnections)
  }
}
