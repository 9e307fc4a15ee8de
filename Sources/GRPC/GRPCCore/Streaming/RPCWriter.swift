/// Where the messages of a call are written to.
public struct RPCWriter<Element: Sendable>: RPCWriterProtocol {
  private let writer: any RPCWriterProtocol<Element>

  /// Wraps a writer.
  ///
  /// - Parameter other: The writer.
  public init(wrapping other: some RPCWriterProtocol<Element>) {
    writer = other
  }

  /// Writes a message. Suspends while the receiver is behind.
  ///
  /// - Parameter element: The message.
  /// - Throws: Why nothing can be written any longer.
  public func write(_ element: Element) async throws {
    try await writer.write(element)
  }

  /// Writes messages in order. Suspends while the receiver is behind.
  ///
  /// - Parameter elements: The messages.
  /// - Throws: Why nothing can be written any longer.
  public func write(contentsOf elements: some Sequence<Element>) async throws {
    try await writer.write(contentsOf: elements)
  }

  /// Writes a message that has a wish of its own. Suspends while the receiver is behind.
  ///
  /// - Parameters:
  ///   - element: The message.
  ///   - options: What is wanted of it.
  /// - Throws: Why nothing can be written any longer.
  public func write(_ element: Element, options: WriteOptions) async throws {
    try await writer.write(element, options: options)
  }
}

extension RPCWriter {
  /// A writer whose owner says when there is no more.
  public struct Closable: ClosableRPCWriterProtocol {
    private let writer: any ClosableRPCWriterProtocol<Element>

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
    public func write(_ element: Element) async throws {
      try await writer.write(element)
    }

    /// Writes elements in order. Suspends while the receiver is behind.
    ///
    /// - Parameter elements: What to write.
    /// - Throws: Why nothing can be written any longer.
    public func write(contentsOf elements: some Sequence<Element>) async throws {
      try await writer.write(contentsOf: elements)
    }

    /// Writes an element that has a wish of its own. Suspends while the receiver is behind.
    ///
    /// - Parameters:
    ///   - element: What to write.
    ///   - options: What is wanted of it.
    /// - Throws: Why nothing can be written any longer.
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
