/// The messages of a call, as they arrive. It can be iterated once.
public struct RPCAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  @usableFromInline
  enum Storage: Sendable {
    case source(RPCInboundSource<Element>)
    /// What a closure makes of a response's parts, until it makes nothing.
    case response(ResponseParts, read: @Sendable (ResponseParts.Part) throws -> Element?)
  }

  @usableFromInline
  let storage: Storage

  /// Wraps a sequence.
  ///
  /// - Parameter other: The sequence.
  public init<Source: AsyncSequence<Element, Failure>>(wrapping other: Source)
  where Source: Sendable {
    storage = .source(WrappingSource(other))
  }

  /// Reads from a source, without a wrapper in between.
  ///
  /// - Parameter source: The source.
  public init(source: RPCInboundSource<Element>) where Failure == any Error {
    storage = .source(source)
  }

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - response: What follows its metadata.
  ///   - read: Makes an element of each part; nil ends the sequence.
  @inlinable
  init(
    of response: ResponseParts,
    read: @escaping @Sendable (ResponseParts.Part) throws -> Element?
  ) where Failure == any Error {
    storage = .response(response, read: read)
  }

  /// The sequence as something to read from.
  @usableFromInline
  func asSource() -> RPCInboundSource<Element> {
    switch storage {
    case .source(let source): source
    case .response: WrappingSource(self)
    }
  }

  /// Starts to read.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(storage: storage)
  }

  /// Reads the messages one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline
    let storage: Storage

    @inlinable
    init(storage: Storage) { self.storage = storage }

    /// The next message, or `nil` when there is none left.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      do {
        switch storage {
        case .source(let source):
          if let element = try source.takeNext() { return element }
          return try await source.next()
        case .response(let parts, let read):
          if let part = try parts.takeNext() { return try read(part) }
          return try read(try await parts.next())
        }
      } catch {
        // Other sources than wrapped ones exist only where any error may be thrown, and what a
        // wrapped one throws is a `Failure`.
        guard let failure = error as? Failure else { preconditionFailure("\(error)") }
        throw failure
      }
    }

    /// Whether the latest message was compressed on its way.
    public var latestIsCompressed: Bool {
      switch storage {
      case .source(let source): source.latestIsCompressed
      case .response(let parts, _): parts.latestIsCompressed
      }
    }

    /// The next message, or `nil` when there is none left.
    @inlinable
    public mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }
  }
}

/// The elements of a sequence.
private final class WrappingSource<Base: AsyncSequence & Sendable>: RPCInboundSource<Base.Element>,
  @unchecked Sendable
where Base.Element: Sendable {
  // `@unchecked` holds because a source is read by one task at a time.
  private let base: Base
  private var iterator: Base.AsyncIterator?

  init(_ base: Base) { self.base = base }

  override func next() async throws -> Base.Element? {
    var iterator = self.iterator ?? base.makeAsyncIterator()
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: nil)
  }
}
