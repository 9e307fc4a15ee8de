import GRPCCore

@testable import GRPCHTTP2Transport

extension LoadBalancingView {
  /// A view of endpoints with one subchannel each, numbered from 1 in their order.
  static func make(_ states: [ConnectivityState], isWanted: Bool = false) -> LoadBalancingView {
    LoadBalancingView(
      endpoints: states.enumerated().map { index, state in
        EndpointStatus(
          endpoint: .numbered(index + 1),
          subchannels: [
            SubchannelStatus(
              id: .numbered(index + 1), state: state,
              failure: state == .transientFailure ? .numbered(index + 1) : nil)
          ])
      }, isWanted: isWanted)
  }
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

  private var choice: PickResult.Choice {
    let method = MethodDescriptor(fullyQualifiedService: "Service", method: "Method")
    return pick(PickContext(method: method, metadata: [:])).choice
  }
}
