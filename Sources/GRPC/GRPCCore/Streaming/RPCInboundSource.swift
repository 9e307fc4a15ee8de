/// Where a sequence of messages comes from: the base of the concrete sources of a transport.
///
/// An ``RPCAsyncSequence`` over a source allocates nothing per element, unlike one that wraps any
/// `AsyncSequence`. A source is read by one task at a time.
open class RPCInboundSource<Element: Sendable>: @unchecked Sendable {
  // `@unchecked` holds because this class has no state; a subclass says why its own is safe.

  /// Creates a source.
  public init() {}

  /// The next element, or `nil` when there is none left.
  ///
  /// - Throws: Why no further element can come.
  open func next() async throws -> Element? { nil }

  /// The next element if it is there already, which spares its reader an asynchronous call.
  ///
  /// - Returns: The element, `.some(nil)` when there is none left, or `nil` where ``next()`` must be asked.
  /// - Throws: Why no further element can come.
  open func takeNext() throws -> Element?? { nil }

  /// Whether the latest element was compressed on its way.
  open var latestIsCompressed: Bool { false }
}
