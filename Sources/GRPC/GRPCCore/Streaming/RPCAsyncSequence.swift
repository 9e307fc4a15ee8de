/// The messages of a call, as they arrive. It can be iterated once.
public struct RPCAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  @usableFromInline
  enum Storage: Sendable {
    case source(RPCInboundSource<Element>)
    /// The messages of a request, read without a source of their own in between, whose frame every
    /// open call would hold.
    case request(RequestMessages<Element>)
    /// The same of a response.
    case response(ResponseElements<Element>)
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

  @inlinable
  init(_ request: RequestMessages<Element>) where Failure == any Error {
    storage = .request(request)
  }

  @inlinable
  init(_ response: ResponseElements<Element>) where Failure == any Error {
    storage = .response(response)
  }

  /// The sequence as something to read from.
  @usableFromInline
  func asSource() -> RPCInboundSource<Element> {
    switch storage {
    case .source(let source): source
    case .request, .response: WrappingSource(self)
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

    // Compiled for the caller's types, but not into its frame, which is there for the whole call.
    /// The next message, or `nil` when there is none left.
    ///
    /// - Throws: Why no more messages come.
    @inlinable
    @inline(never)
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      do {
        switch storage {
        case .source(let source):
          if let element = try source.takeNext() { return element }
          return try await source.next()
        case .request(let request):
          return try await request.parts.next().map { try request.read($0.messageOfRequest()) }
        case .response(let response):
          if let part = try response.parts.takeNext() { return try response.read(part) }
          return try response.read(try await response.parts.next())
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
      case .request(let request): request.parts.latestIsCompressed
      case .response(let response): response.parts.latestIsCompressed
      }
    }

    /// The next message, or `nil` when there is none left.
    ///
    /// - Throws: Why no more messages come.
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

/// The messages among a request's parts, after its metadata.
///
/// A class, so that a sequence is small wherever it is held while its call is open.
@usableFromInline
final class RequestMessages<Message: Sendable>: Sendable {
  @usableFromInline
  let parts: RPCInboundSource<RPCRequestPart<[UInt8]>>
  @usableFromInline
  let read: @Sendable ([UInt8]) throws -> Message

  @inlinable
  init(
    from parts: RPCInboundSource<RPCRequestPart<[UInt8]>>,
    read: @escaping @Sendable ([UInt8]) throws -> Message
  ) {
    self.parts = parts
    self.read = read
  }
}

extension RPCRequestPart {
  /// The message of a part that follows the metadata.
  @usableFromInline
  func messageOfRequest() throws(RPCError) -> Bytes {
    guard case .message(let bytes) = self else {
      throw RPCError(code: .internalError, message: "Metadata came in the middle of the request.")
    }
    return bytes
  }
}
