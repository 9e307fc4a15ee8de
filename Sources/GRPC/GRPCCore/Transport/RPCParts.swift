/// A piece of what a client sends.
public enum RPCRequestPart<Bytes: GRPCContiguousBytes> {
  /// The metadata; always first, and once.
  case metadata(Metadata)
  /// A serialized message.
  case message(Bytes)
}

extension RPCRequestPart: Sendable where Bytes: Sendable {}
extension RPCRequestPart: Equatable where Bytes: Equatable {}

/// A piece of what a server sends.
public enum RPCResponsePart<Bytes: GRPCContiguousBytes> {
  /// The initial metadata; first and once, or never where the call is refused at once.
  case metadata(Metadata)
  /// A serialized message.
  case message(Bytes)
  /// How the call ended, and the trailing metadata; always last.
  case status(Status, Metadata)
}

extension RPCResponsePart: Sendable where Bytes: Sendable {}
extension RPCResponsePart: Equatable where Bytes: Equatable {}
