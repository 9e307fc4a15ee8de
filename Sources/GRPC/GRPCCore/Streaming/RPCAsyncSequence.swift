/// The messages of a call, as they arrive. It can be iterated once.
public struct RPCAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private enum Storage: Sendable {
    case source(RPCInboundSource<Element>)
    case wrapped(any AsyncSequence<Element, Failure> & Sendable)
  }

  private let storage: Storage

  /// Wraps a sequence.
  ///
  /// - Parameter other: The sequence.
  public init<Source: AsyncSequence<Element, Failure>>(wrapping other: Source)
  where Source: Sendable {
    storage = .wrapped(other)
  }

  /// Reads from a source, without a wrapper in between.
  ///
  /// - Parameter source: The source.
  public init(source: RPCInboundSource<Element>) where Failure == any Error {
    storage = .source(source)
  }

  /// Starts to read.
  public func makeAsyncIterator() -> AsyncIterator {
    switch storage {
    case .source(let source): AsyncIterator(storage: .source(source))
    case .wrapped(let sequence): AsyncIterator(storage: .wrapped(sequence.makeAsyncIterator()))
    }
  }

  /// Reads the messages one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    enum Storage {
      case source(RPCInboundSource<Element>)
      case wrapped(any AsyncIteratorProtocol<Element, Failure>)
    }

    private var storage: Storage

    init(storage: Storage) { self.storage = storage }

    /// The next message, or `nil` when there is none left.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      switch storage {
      case .source(let source):
        do {
          return try await source.next()
        } catch {
          // A source exists only where any error may be thrown, so this is always one.
          guard let failure = error as? Failure else { preconditionFailure("\(error)") }
          throw failure
        }
      case .wrapped: return try await nextOfWrapped(isolation: actor)
      }
    }

    // On its own, since the iterator's copy would make the frame of every read larger.
    private mutating func nextOfWrapped(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      guard case .wrapped(var iterator) = storage else { return nil }
      defer { storage = .wrapped(iterator) }
      return try await iterator.next(isolation: actor)
    }

    /// Whether the latest message was compressed on its way.
    public var latestIsCompressed: Bool {
      switch storage {
      case .source(let source): source.latestIsCompressed
      case .wrapped: false
      }
    }

    /// The next message, or `nil` when there is none left.
    public mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }
  }
}
