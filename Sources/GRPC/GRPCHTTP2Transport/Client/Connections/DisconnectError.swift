import EventLoop
import Glibc

/// Why a connection takes no calls any more, as metrics tell it: the label `grpc.disconnect_error`.
///
/// See gRPC's proposal A94.
struct DisconnectError: Hashable {
  let text: String

  static let reset = DisconnectError(text: "connection reset")
  static let timedOut = DisconnectError(text: "connection timed out")
  static let aborted = DisconnectError(text: "connection aborted")
  static let socketError = DisconnectError(text: "socket error")
  /// This side does not need it any more.
  static let shutdown = DisconnectError(text: "subchannel shutdown")
  static let unknown = DisconnectError(text: "unknown")

  /// The server has sent it away.
  static func goAway(_ code: HTTP2ErrorCode) -> DisconnectError {
    DisconnectError(text: "GOAWAY \(code)")
  }

  private init(text: String) {
    self.text = text
  }

  init(_ reason: SocketChannel.CloseReason) {
    switch reason {
    case .failed(let error):
      switch error.code {
      case ECONNRESET, EPIPE: self = .reset
      case ETIMEDOUT: self = .timedOut
      case ECONNABORTED: self = .aborted
      default: self = .socketError
      }
    case .closedLocally, .closedByPeer, .insecure: self = .unknown
    }
  }
}
