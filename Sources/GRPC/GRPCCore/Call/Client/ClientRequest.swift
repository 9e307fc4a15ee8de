/// A request of one message.
public struct ClientRequest<Message: Sendable>: Sendable {
  /// What to send along.
  public var metadata: Metadata
  /// The message.
  public var message: Message

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - metadata: What to send along.
  @inlinable
  public init(message: Message, metadata: Metadata = [:]) {
    self.metadata = metadata
    self.message = message
  }
}

/// A request of any number of messages.
public struct StreamingClientRequest<Message: Sendable>: Sendable {
  /// What to send along.
  public var metadata: Metadata
  /// Writes the messages.
  public var producer: @Sendable (_ writer: RPCWriter<Message>) async throws -> Void

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - messageType: The type of the messages.
  ///   - metadata: What to send along.
  ///   - producer: Writes the messages. It runs while the response is read.
  public init(
    of messageType: Message.Type = Message.self, metadata: Metadata = [:],
    producer: @escaping @Sendable (_ writer: RPCWriter<Message>) async throws -> Void
  ) {
    self.metadata = metadata
    self.producer = producer
  }

  /// Creates a request from one of one message.
  ///
  /// - Parameter request: The request.
  public init(single request: ClientRequest<Message>) {
    self.init(metadata: request.metadata) { try await $0.write(request.message) }
  }
}
