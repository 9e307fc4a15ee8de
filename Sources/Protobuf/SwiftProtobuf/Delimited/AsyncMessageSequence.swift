extension AsyncSequence where Element == UInt8 {
  /// The messages of a stream of bytes in which each message stands behind its length.
  ///
  /// - Parameters:
  ///   - messageType: the messages' type.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  /// - Returns: a sequence that throws ``BinaryDelimited/Error``, the ``BinaryDecodingError`` of a
  ///   message, or what this sequence throws.
  @inlinable
  public func binaryProtobufDelimitedMessages<M: Message>(
    of messageType: M.Type = M.self, extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) -> AsyncMessageSequence<Self, M> {
    AsyncMessageSequence(base: self, extensions: extensions, partial: partial, options: options)
  }
}

/// The messages of a stream of bytes in which each message stands behind its length.
public struct AsyncMessageSequence<Base: AsyncSequence, M: Message>: AsyncSequence
where Base.Element == UInt8 {
  /// A message of the stream.
  public typealias Element = M

  private let base: Base
  private let extensions: (any ExtensionMap)?
  private let partial: Bool
  private let options: BinaryDecodingOptions

  /// Creates the sequence of the messages in a stream.
  ///
  /// - Parameters:
  ///   - base: the stream's bytes.
  ///   - extensions: the extensions that are no unknown fields.
  ///   - partial: whether required fields may be missing.
  ///   - options: how to read.
  public init(
    base: Base, extensions: (any ExtensionMap)? = nil, partial: Bool = false,
    options: BinaryDecodingOptions = BinaryDecodingOptions()
  ) {
    self.base = base
    self.extensions = extensions
    self.partial = partial
    self.options = options
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      base: base.makeAsyncIterator(), extensions: extensions, partial: partial, options: options)
  }

  /// Reads one message after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let extensions: (any ExtensionMap)?
    private let partial: Bool
    private let options: BinaryDecodingOptions

    init(
      base: Base.AsyncIterator, extensions: (any ExtensionMap)?, partial: Bool,
      options: BinaryDecodingOptions
    ) {
      self.base = base
      self.extensions = extensions
      self.partial = partial
      self.options = options
    }

    /// The next message; nil at the end of the stream.
    ///
    /// - Throws: ``BinaryDelimited/Error``, a message's ``BinaryDecodingError``, or what the bytes' source throws.
    public mutating func next() async throws -> M? {
      var frame = DelimitedFrame()
      while let byte = try await base.next() {
        guard try frame.take(byte) else { continue }
        return try M(
          serializedBytes: frame.body, extensions: extensions, partial: partial, options: options)
      }
      if frame.isStarted { throw BinaryDelimited.Error.truncated }
      return nil
    }
  }
}

extension AsyncMessageSequence: Sendable where Base: Sendable {}
