/// A response of one message.
public struct ClientResponse<Message: Sendable>: Sendable {
  /// What the server answered after it took the call.
  public struct Contents: Sendable {
    /// Sent before the message.
    public var metadata: Metadata
    /// The message, or how the call failed.
    public var message: Result<Message, RPCError>
    /// Sent after the message.
    public var trailingMetadata: Metadata

    /// Creates contents.
    ///
    /// - Parameters:
    ///   - metadata: Sent before the message.
    ///   - message: The message.
    ///   - trailingMetadata: Sent after the message.
    @inlinable
    public init(metadata: Metadata, message: Message, trailingMetadata: Metadata) {
      self.metadata = metadata
      self.message = .success(message)
      self.trailingMetadata = trailingMetadata
    }

    /// Creates the contents of a call that failed after the server took it.
    ///
    /// - Parameters:
    ///   - metadata: Sent before the failure.
    ///   - error: How the call failed.
    @inlinable
    public init(metadata: Metadata, error: RPCError) {
      self.metadata = metadata
      message = .failure(error)
      trailingMetadata = error.metadata
    }
  }

  /// The answer, or why the call was refused.
  public var accepted: Result<Contents, RPCError>

  /// Creates a response.
  ///
  /// - Parameter accepted: The answer, or why the call was refused.
  public init(accepted: Result<Contents, RPCError>) {
    self.accepted = accepted
  }

  /// Creates a response of a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - metadata: Sent before the message.
  ///   - trailingMetadata: Sent after the message.
  @inlinable
  public init(message: Message, metadata: Metadata = [:], trailingMetadata: Metadata = [:]) {
    accepted = .success(
      Contents(metadata: metadata, message: message, trailingMetadata: trailingMetadata))
  }

  /// Creates the response of a call that failed.
  ///
  /// - Parameters:
  ///   - messageType: The type of the message there would have been.
  ///   - metadata: Sent before the failure; `nil` where the call was refused at once.
  ///   - error: How the call failed.
  @inlinable
  public init(
    of messageType: Message.Type = Message.self, metadata: Metadata? = nil, error: RPCError
  ) {
    accepted = metadata.map { .success(Contents(metadata: $0, error: error)) } ?? .failure(error)
  }

  /// Sent before the message; empty where the call was refused.
  public var metadata: Metadata {
    switch accepted {
    case .success(let contents): contents.metadata
    case .failure: [:]
    }
  }

  /// The message.
  ///
  /// - Throws: ``RPCError`` where the call failed.
  @inlinable
  public var message: Message {
    get throws {
      switch accepted {
      case .success(let contents): try contents.message.get()
      case .failure(let error): throw error
      }
    }
  }

  /// Sent after the message, or with the failure.
  public var trailingMetadata: Metadata {
    switch accepted {
    case .success(let contents): contents.trailingMetadata
    case .failure(let error): error.metadata
    }
  }
}
