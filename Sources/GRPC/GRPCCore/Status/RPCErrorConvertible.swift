/// An error of a handler that knows what it means for the call.
///
/// Thrown from a handler it becomes the call's status; any other error becomes UNKNOWN, so that
/// nothing of a server's inside reaches a client by accident.
public protocol RPCErrorConvertible {
  /// The failure's code.
  var rpcErrorCode: RPCError.Code { get }
  /// What a developer wants to know of it.
  var rpcErrorMessage: String { get }
  /// What to send along.
  var rpcErrorMetadata: Metadata { get }
  /// What led to it.
  var rpcErrorCause: (any Error)? { get }
}

extension RPCErrorConvertible {
  /// Nothing, unless the type says otherwise.
  public var rpcErrorMetadata: Metadata { [:] }
  /// Nothing, unless the type says otherwise.
  public var rpcErrorCause: (any Error)? { nil }
}

extension RPCErrorConvertible where Self: Error {
  /// The error itself.
  public var rpcErrorCause: (any Error)? { self }
}

extension RPCError: RPCErrorConvertible {
  /// The error's code.
  public var rpcErrorCode: Code { code }
  /// The error's message.
  public var rpcErrorMessage: String { message }
  /// The error's metadata.
  public var rpcErrorMetadata: Metadata { metadata }
  /// The error's cause.
  public var rpcErrorCause: (any Error)? { cause }
}

extension RPCError {
  /// Creates an error from one that knows what it means for a call.
  ///
  /// - Parameter error: The error.
  public init(_ error: some RPCErrorConvertible) {
    self.init(
      code: error.rpcErrorCode, message: error.rpcErrorMessage, metadata: error.rpcErrorMetadata,
      cause: error.rpcErrorCause)
  }

  /// What an error means for a call: itself, what it converts to, CANCELLED for Swift's own
  /// cancellation, and UNKNOWN with `message` for everything else.
  @usableFromInline
  package init(catching error: any Error, unknown message: @autoclosure () -> String) {
    switch error {
    case let error as RPCError: self = error
    case let error as any RPCErrorConvertible: self.init(error)
    case is CancellationError:
      self.init(code: .cancelled, message: "The call was cancelled.", cause: error)
    default: self.init(code: .unknown, message: message(), cause: error)
    }
  }
}
