/// A response of one message.
public struct ServerResponse<Message: Sendable>: Sendable {
  /// What an accepted call answers.
  public struct Contents: Sendable {
    /// Sent before the message.
    public var metadata: Metadata
    /// The message.
    public var message: Message
    /// Sent after the message.
    public var trailingMetadata: Metadata
    /// How to compress the message, where the client knows the algorithm; `nil` leaves it to the
    /// transport.
    public var compression: CompressionAlgorithm?

    /// Creates contents.
    ///
    /// - Parameters:
    ///   - metadata: Sent before the message.
    ///   - message: The message.
    ///   - trailingMetadata: Sent after the message.
    @inlinable
    public init(message: Message, metadata: Metadata = [:], trailingMetadata: Metadata = [:]) {
      self.metadata = metadata
      self.message = message
      self.trailingMetadata = trailingMetadata
    }
  }

  /// The answer, or why the call is refused.
  public var accepted: Result<Contents, RPCError>

  /// The metadata sent before the message; of a call that is refused, that of the error.
  public var metadata: Metadata {
    get { accepted.metadata }
    set { accepted.metadata = newValue }
  }

  /// Creates a response.
  ///
  /// - Parameter accepted: The answer, or why the call is refused.
  @inlinable
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
      Contents(message: message, metadata: metadata, trailingMetadata: trailingMetadata))
  }

  /// Creates a response that refuses the call.
  ///
  /// - Parameters:
  ///   - messageType: The type of the message there would have been.
  ///   - error: Why the call is refused.
  @inlinable
  public init(of messageType: Message.Type = Message.self, error: RPCError) {
    accepted = .failure(error)
  }
}

/// A response of any number of messages.
public struct StreamingServerResponse<Message: Sendable>: Sendable {
  /// What an accepted call answers.
  public struct Contents: Sendable {
    /// Sent before the messages.
    public var metadata: Metadata
    /// Writes the messages, and returns the trailing metadata.
    public var producer: @Sendable (_ writer: RPCWriter<Message>) async throws -> Metadata
    /// How to compress the messages, where the client knows the algorithm; `nil` leaves it to the
    /// transport. A message may be written without it: see ``WriteOptions``.
    public var compression: CompressionAlgorithm?

    /// Creates contents.
    ///
    /// - Parameters:
    ///   - metadata: Sent before the messages.
    ///   - producer: Writes the messages, and returns the trailing metadata.
    @inlinable
    public init(
      metadata: Metadata,
      producer: @escaping @Sendable (_ writer: RPCWriter<Message>) async throws -> Metadata
    ) {
      self.metadata = metadata
      self.producer = producer
    }
  }

  /// The answer, or why the call is refused.
  public var accepted: Result<Contents, RPCError>

  /// The metadata sent before the messages; of a call that is refused, that of the error.
  public var metadata: Metadata {
    get { accepted.metadata }
    set { accepted.metadata = newValue }
  }

  /// Creates a response.
  ///
  /// - Parameter accepted: The answer, or why the call is refused.
  @inlinable
  public init(accepted: Result<Contents, RPCError>) {
    self.accepted = accepted
  }

  /// Creates a response of messages.
  ///
  /// - Parameters:
  ///   - messageType: The type of the messages.
  ///   - metadata: Sent before the messages.
  ///   - producer: Writes the messages, and returns the trailing metadata.
  @inlinable
  public init(
    of messageType: Message.Type = Message.self, metadata: Metadata = [:],
    producer: @escaping @Sendable (_ writer: RPCWriter<Message>) async throws -> Metadata
  ) {
    accepted = .success(Contents(metadata: metadata, producer: producer))
  }

  /// Creates a response that refuses the call.
  ///
  /// - Parameters:
  ///   - messageType: The type of the messages there would have been.
  ///   - error: Why the call is refused.
  @inlinable
  public init(of messageType: Message.Type = Message.self, error: RPCError) {
    accepted = .failure(error)
  }

  /// Creates a response from one of one message.
  ///
  /// - Parameter response: The response.
  @inlinable
  public init(single response: ServerResponse<Message>) {
    switch response.accepted {
    case .success(let contents):
      var streaming = Contents(metadata: contents.metadata) { writer in
        try await writer.write(contents.message)
        return contents.trailingMetadata
      }
      streaming.compression = contents.compression
      self.init(accepted: .success(streaming))
    case .failure(let error):
      self.init(error: error)
    }
  }
}

private protocol ContentsWithMetadata {
  var metadata: Metadata { get set }
}

extension ServerResponse.Contents: ContentsWithMetadata {}

extension StreamingServerResponse.Contents: ContentsWithMetadata {}

extension Result where Success: ContentsWithMetadata, Failure == RPCError {
  /// The metadata of the answer, or of the error.
  fileprivate var metadata: Metadata {
    get {
      switch self {
      case .success(let contents): contents.metadata
      case .failure(let error): error.metadata
      }
    }
    set {
      switch self {
      case .success(var contents):
        contents.metadata = newValue
        self = .success(contents)
      case .failure(var error):
        error.metadata = newValue
        self = .failure(error)
      }
    }
  }
}
