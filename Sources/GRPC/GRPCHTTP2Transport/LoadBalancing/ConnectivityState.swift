/// The connectivity of a channel or of one of its subchannels.
///
/// See gRPC's "Connectivity Semantics and API".
public enum ConnectivityState: Sendable, Hashable {
  /// Not connected and not trying to be: the next call makes it connect.
  case idle
  /// A connection is being made; calls wait for it.
  case connecting
  /// Calls are sent at once.
  case ready
  /// Connecting failed and is tried again after a backoff; calls fail unless they wait for ready.
  case transientFailure
  /// Closed for good.
  case shutdown
}
