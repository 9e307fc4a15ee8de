/// Where the messages of a call are written to.
public struct RPCWriter<Element: Sendable>: RPCWriterProtocol {
  @usableFromInline
  enum Storage: Sendable {
    // Indirect, so that a writer is small wherever it is held while its call is open.
    indirect case writer(any RPCWriterProtocol<Element>)
    /// The messages of a response, written without another writer in between.
    case response(ResponseMessages<Element>)
  }

  @usableFromInline
  let storage: Storage

  /// Wraps a writer.
  ///
  /// - Parameter other: The writer.
  public init(wrapping other: some RPCWriterProtocol<Element>) {
    storage = .writer(other)
  }

  @inlinable
  init(_ response: ResponseMessages<Element>) {
    storage = .response(response)
  }

  /// Writes a message. Suspends while the receiver is behind.
  ///
  /// - Parameter element: The message.
  /// - Throws: Why nothing can be written any longer.
  @inlinable
  @inline(never)
  public func write(_ element: Element) async throws {
    switch storage {
    case .writer(let writer): try await writer.write(element)
    case .response(let response): try await response.write(element, options: WriteOptions())
    }
  }

  /// Writes messages in order. Suspends while the receiver is behind.
  ///
  /// - Parameter elements: The messages.
  /// - Throws: Why nothing can be written any longer.
  @inlinable
  @inline(never)
  public func write(contentsOf elements: some Sequence<Element>) async throws {
    switch storage {
    case .writer(let writer): try await writer.write(contentsOf: elements)
    case .response(let response):
      for element in elements { try await response.write(element, options: WriteOptions()) }
    }
  }

  /// Writes a message that has a wish of its own. Suspends while the receiver is behind.
  ///
  /// - Parameters:
  ///   - element: The message.
  ///   - options: What is wanted of it.
  /// - Throws: Why nothing can be written any longer.
  @inlinable
  @inline(never)
  public func write(_ element: Element, options: WriteOptions) async throws {
    switch storage {
    case .writer(let writer): try await writer.write(element, options: options)
    case .response(let response): try await response.write(element, options: options)
    }
  }
}

extension RPCWriter {
  /// A writer whose owner says when there is no more.
  public struct Closable: ClosableRPCWriterProtocol {
    @usableFromInline
    let writer: any ClosableRPCWriterProtocol<Element>

    /// Wraps a writer.
    ///
    /// - Parameter other: The writer.
    public init(wrapping other: some ClosableRPCWriterProtocol<Element>) {
      writer = other
    }

    /// Writes an element. Suspends while the receiver is behind.
    ///
    /// - Parameter element: What to write.
    /// - Throws: Why nothing can be written any longer.
    @inlinable
    public func write(_ element: Element) async throws {
      try await writer.write(element)
    }

    /// Writes elements in order. Suspends while the receiver is behind.
    ///
    /// - Parameter elements: What to write.
    /// - Throws: Why nothing can be written any longer.
    @inlinable
    public func write(contentsOf elements: some Sequence<Element>) async throws {
      try await writer.write(contentsOf: elements)
    }

    /// Writes an element that has a wish of its own. Suspends while the receiver is behind.
    ///
    /// - Parameters:
    ///   - element: What to write.
    ///   - options: What is wanted of it.
    /// - Throws: Why nothing can be written any longer.
    @inlinable
    public func write(_ element: Element, options: WriteOptions) async throws {
      try await writer.write(element, options: options)
    }

    /// Says that no element follows.
    public func finish() async {
      await writer.finish()
    }

    /// Says that the stream broke off.
    ///
    /// - Parameter error: Why.
    public func finish(throwing error: any Error) async {
      await writer.finish(throwing: error)
    }
  }
}

/// The messages of a response, written one by one as parts of it.
@usableFromInline
final class ResponseMessages<Message: Sendable>: Sendable {
  @usableFromInline
  let parts: RPCWriter<RPCResponsePart<[UInt8]>>.Closable
  @usableFromInline
  let serialize: @Sendable (Message) throws -> [UInt8]

  @inlinable
  init(
    to parts: RPCWriter<RPCResponsePart<[UInt8]>>.Closable,
    serialize: @escaping @Sendable (Message) throws -> [UInt8]
  ) {
    self.parts = parts
    self.serialize = serialize
  }

  @inlinable
  func write(_ message: Message, options: WriteOptions) async throws {
    try await parts.write(.message(try serialize(message)), options: options)
  }
}
