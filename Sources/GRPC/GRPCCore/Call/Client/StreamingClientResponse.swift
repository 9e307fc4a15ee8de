/// A response of any number of messages.
public struct StreamingClientResponse<Message: Sendable>: Sendable {
  /// What the server answers after it took the call.
  public struct Contents: Sendable {
    /// A message, or the metadata that ends a call that succeeded.
    public enum BodyPart: Sendable {
      case message(Message)
      case trailingMetadata(Metadata)
    }

    /// Sent before the messages.
    public var metadata: Metadata
    /// The messages and then the trailing metadata; throws ``RPCError`` where the call fails.
    public var bodyParts: RPCAsyncSequence<BodyPart, any Error>

    /// Creates contents.
    ///
    /// - Parameters:
    ///   - metadata: Sent before the messages.
    ///   - bodyParts: The messages and then the trailing metadata.
    @inlinable
    public init(metadata: Metadata, bodyParts: RPCAsyncSequence<BodyPart, any Error>) {
      self.metadata = metadata
      self.bodyParts = bodyParts
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

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - messageType: The type of the messages.
  ///   - metadata: Sent before the messages.
  ///   - bodyParts: The messages and then the trailing metadata.
  @inlinable
  public init(
    of messageType: Message.Type = Message.self, metadata: Metadata,
    bodyParts: RPCAsyncSequence<Contents.BodyPart, any Error>
  ) {
    accepted = .success(Contents(metadata: metadata, bodyParts: bodyParts))
  }

  /// Creates the response of a call that was refused.
  ///
  /// - Parameters:
  ///   - messageType: The type of the messages there would have been.
  ///   - error: Why the call was refused.
  @inlinable
  public init(of messageType: Message.Type = Message.self, error: RPCError) {
    accepted = .failure(error)
  }

  /// Sent before the messages; empty where the call was refused.
  public var metadata: Metadata {
    switch accepted {
    case .success(let contents): contents.metadata
    case .failure: [:]
    }
  }

  /// The messages, as they arrive; throws ``RPCError`` where the call fails.
  @inlinable
  public var messages: RPCAsyncSequence<Message, any Error> {
    RPCAsyncSequence(of: bodyParts)
  }

  /// The messages and then the trailing metadata; throws ``RPCError`` where the call fails.
  @inlinable
  public var bodyParts: RPCAsyncSequence<Contents.BodyPart, any Error> {
    switch accepted {
    case .success(let contents): contents.bodyParts
    case .failure(let error): RPCAsyncSequence(source: FailingSource(error))
    }
  }
}

extension RPCAsyncSequence where Failure == any Error {
  /// The messages of a response, without the trailing metadata.
  @inlinable
  init(
    of bodyParts: RPCAsyncSequence<StreamingClientResponse<Element>.Contents.BodyPart, any Error>
  ) {
    switch bodyParts.storage {
    case .response(let response):
      // The metadata is the last part, and so the end of the messages.
      self.init(
        ResponseElements(of: response.parts) { part in
          if case .message(let message)? = try response.read(part) { message } else { nil }
        })
    case .source, .request:
      self.init(source: MessagesOfBody(bodyParts.asSource()))
    }
  }
}

/// The messages of a response whose parts come from elsewhere, without the trailing metadata.
@usableFromInline
final class MessagesOfBody<Message: Sendable>: RPCInboundSource<Message>, @unchecked Sendable {
  // `@unchecked` holds because nothing here changes.
  private let parts: RPCInboundSource<StreamingClientResponse<Message>.Contents.BodyPart>

  @usableFromInline
  init(_ parts: RPCInboundSource<StreamingClientResponse<Message>.Contents.BodyPart>) {
    self.parts = parts
  }

  @usableFromInline
  override func next() async throws -> Message? {
    while let part = try await parts.next() {
      if case .message(let message) = part { return message }
    }
    return nil
  }

  @usableFromInline
  override var latestIsCompressed: Bool { parts.latestIsCompressed }
}

/// A source of nothing but an error.
@usableFromInline
final class FailingSource<Element: Sendable>: RPCInboundSource<Element>, @unchecked Sendable {
  // `@unchecked` holds because nothing here changes.
  private let error: RPCError

  @usableFromInline
  init(_ error: RPCError) { self.error = error }

  @usableFromInline
  override func next() async throws -> Element? { throw error }
}

extension ClientResponse {
  /// Reads the one message of a response.
  ///
  /// - Parameter response: The response.
  public init(stream response: StreamingClientResponse<Message>) async {
    let contents: StreamingClientResponse<Message>.Contents
    switch response.accepted {
    case .success(let accepted): contents = accepted
    case .failure(let error):
      self.init(error: error)
      return
    }
    var message: Message?
    var trailingMetadata: Metadata = [:]
    do {
      for try await part in contents.bodyParts {
        switch part {
        case .message(let received):
          guard message == nil else {
            throw RPCError(
              code: .unimplemented,
              message: "The server sent several messages for a call with one response.")
          }
          message = received
        case .trailingMetadata(let metadata): trailingMetadata = metadata
        }
      }
      guard let message else {
        throw RPCError(
          code: .unimplemented, message: "The server sent no message for a call with one response.")
      }
      self.init(
        message: message, metadata: contents.metadata, trailingMetadata: trailingMetadata)
    } catch {
      self.init(
        metadata: contents.metadata,
        error: RPCError(catching: error, unknown: "The response could not be read."))
    }
  }
}
