import GRPCCore

@testable import GRPCHTTP2Transport

extension LoadBalancingView {
  /// A view of endpoints with one subchannel each, numbered from 1 in their order.
  ///
  /// - Parameter after: The time, since the test's beginning.
  static func make(
    _ states: [ConnectivityState], isWanted: Bool = false, after: Duration = .zero,
    _ change: (_ number: Int, _ endpoint: inout Endpoint) -> Void = { _, _ in }
  ) -> LoadBalancingView {
    LoadBalancingView(
      endpoints: states.enumerated().map { index, state in
        var endpoint = Endpoint.numbered(index + 1)
        change(index + 1, &endpoint)
        return EndpointStatus(
          endpoint: endpoint,
          subchannels: [
            SubchannelStatus(
              id: .numbered(index + 1), state: state,
              failure: state == .transientFailure ? .numbered(index + 1) : nil)
          ])
      }, isWanted: isWanted, now: .beginning + after)
  }
}

extension ContinuousClock.Instant {
  /// When the clock of a table test begins.
  static let beginning = ContinuousClock.now
}

extension Endpoint {
  static func numbered(_ number: Int) -> Endpoint {
    Endpoint(addresses: [.unixDomainSocket(path: "/\(number).sock")])
  }
}

extension SubchannelID {
  static func numbered(_ number: Int) -> SubchannelID {
    SubchannelID(rawValue: UInt64(number))
  }

  var number: Int { Int(rawValue) }
}

extension RPCError {
  static func numbered(_ number: Int) -> RPCError {
    RPCError(code: .unavailable, message: "subchannel \(number)")
  }
}

extension SubchannelPicker {
  /// What a pick gives: a subchannel's number, or nil.
  var picked: Int? {
    if case .subchannel(let id) = choice { id.number } else { nil }
  }

  var waits: Bool {
    if case .wait = choice { true } else { false }
  }

  var failure: String? {
    if case .fail(let error) = choice { error.message } else { nil }
  }

  private var choice: PickResult.Choice { pick().choice }

  /// Picks for a call with this metadata.
  func pick(_ metadata: Metadata = [:]) -> PickResult {
    let method = MethodDescriptor(fullyQualifiedService: "Service", method: "Method")
    return pick(PickContext(method: method, metadata: metadata))
  }
}

extension PickResult {
  /// The subchannel's number; 0 if none was chosen.
  var number: Int {
    if case .subchannel(let id) = choice { id.number } else { 0 }
  }

  /// Makes a call of the choice, which ends in some way.
  func call(_ code: Status.Code? = .ok, load: LoadReport? = nil) {
    for tracker in [tracker, observer] {
      tracker?.callDidStart()
      tracker?.callDidEnd(CallOutcome(code: code, load: load))
    }
  }
}
