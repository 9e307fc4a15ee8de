/// Something that elements are written to.
public protocol RPCWriterProtocol<Element>: Sendable {
  /// What is written.
  associatedtype Element: Sendable

  /// Writes an element. Suspends while the receiver is behind.
  ///
  /// - Parameter element: What to write.
  /// - Throws: Why nothing can be written any longer.
  func write(_ element: Element) async throws

  /// Writes elements in order. Suspends while the receiver is behind.
  ///
  /// - Parameter elements: What to write.
  /// - Throws: Why nothing can be written any longer.
  func write(contentsOf elements: some Sequence<Element>) async throws

  /// Writes an element that has a wish of its own. Suspends while the receiver is behind.
  ///
  /// The default knows of no wishes.
  ///
  /// - Parameters:
  ///   - element: What to write.
  ///   - options: What is wanted of it.
  /// - Throws: Why nothing can be written any longer.
  func write(_ element: Element, options: WriteOptions) async throws
}

extension RPCWriterProtocol {
  /// Writes an element, whatever is wanted of it.
  ///
  /// - Throws: Why nothing can be written any longer.
  public func write(_ element: Element, options: WriteOptions) async throws {
    try await write(element)
  }

  /// Writes what a sequence yields, as it comes.
  ///
  /// - Parameter elements: What to write.
  /// - Throws: What the sequence throws, or why nothing can be written any longer.
  public func write<Elements: AsyncSequence>(contentsOf elements: Elements) async throws
  where Elements.Element == Element {
    for try await element in elements {
      try await write(element)
    }
  }
}

/// A writer that can say that there is no more.
public protocol ClosableRPCWriterProtocol<Element>: RPCWriterProtocol {
  /// Says that no element follows.
  func finish() async

  /// Says that the stream broke off.
  ///
  /// - Parameter error: Why.
  func finish(throwing error: any Error) async
}
