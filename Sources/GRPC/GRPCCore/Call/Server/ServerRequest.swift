/// A request of one message.
public struct ServerRequest<Message: Sendable>: Sendable {
  /// What the client sent along.
  public var metadata: Metadata
  /// The message.
  public var message: Message

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - metadata: What the client sent along.
  ///   - message: The message.
  @inlinable
  public init(metadata: Metadata, message: Message) {
    self.metadata = metadata
    self.message = message
  }
}

/// A request of any number of messages.
public struct StreamingServerRequest<Message: Sendable>: Sendable {
  /// What the client sent along.
  public var metadata: Metadata
  /// The messages, as they arrive.
  public var messages: RPCAsyncSequence<Message, any Error>

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - metadata: What the client sent along.
  ///   - messages: The messages.
  @inlinable
  public init(metadata: Metadata, messages: RPCAsyncSequence<Message, any Error>) {
    self.metadata = metadata
    self.messages = messages
  }
}

extension StreamingServerRequest {
  /// Creates a request from one of one message.
  ///
  /// - Parameter request: The request.
  public init(single request: ServerRequest<Message>) {
    self.init(
      metadata: request.metadata, messages: .init(source: SingleSource(request.message)))
  }
}

extension ServerRequest {
  /// Reads the one message of a request.
  ///
  /// - Parameter request: The request.
  /// - Throws: ``RPCError`` UNIMPLEMENTED where there is not exactly one message.
  public init(stream request: StreamingServerRequest<Message>) async throws {
    var iterator = request.messages.makeAsyncIterator()
    guard let message = try await iterator.next() else {
      throw RPCError(
        code: .unimplemented, message: "The request has no message, and the method wants one.")
    }
    guard try await iterator.next() == nil else {
      throw RPCError(
        code: .unimplemented, message: "The request has several messages, and the method wants one."
      )
    }
    self.init(metadata: request.metadata, message: message)
  }
}

/// A source of one element.
final class SingleSource<Element: Sendable>: RPCInboundSource<Element>, @unchecked Sendable {
  // `@unchecked` holds because a source is read by one task at a time.
  private var element: Element?

  init(_ element: Element) { self.element = element }

  override func next() async throws -> Element? { element.take() }
}
