/// What follows a response's metadata: its messages as bytes, and how the call ended.
///
/// It is of no generic type, for which the runtime would look up the types of its parts with every message. What makes
/// messages of the bytes is compiled where their type is known.
@usableFromInline
final class ResponseParts: @unchecked Sendable {
  // `@unchecked` holds because a response is read by one task at a time.

  @usableFromInline
  enum Part: Sendable {
    case message([UInt8])
    /// Ends a call that has succeeded.
    case trailers(Metadata)
    /// Nothing follows any more.
    case end
  }

  private let source: RPCInboundSource<RPCResponsePart<[UInt8]>>
  /// What came in place of everything else, until it is passed on.
  private var trailers: Metadata?
  private var hasEnded = false

  init(_ source: RPCInboundSource<RPCResponsePart<[UInt8]>>, trailers: Metadata? = nil) {
    self.source = source
    self.trailers = trailers
  }

  /// The next part if it is there already; nil where ``next()`` must be asked.
  @usableFromInline
  func takeNext() throws -> Part? {
    guard !hasEnded, trailers == nil, let part = try source.takeNext() else { return nil }
    return try accept(part)
  }

  /// The next part.
  @usableFromInline
  func next() async throws -> Part {
    if hasEnded { return .end }
    if let trailers {
      hasEnded = true
      return .trailers(trailers)
    }
    return try accept(try await source.next())
  }

  var latestIsCompressed: Bool { source.latestIsCompressed }

  private func accept(_ part: RPCResponsePart<[UInt8]>?) throws -> Part {
    switch part {
    case .message(let bytes): return .message(bytes)
    case .status(let status, let metadata):
      hasEnded = true
      if let error = RPCError(status: status, metadata: metadata) { throw error }
      return .trailers(metadata)
    case .metadata:
      throw RPCError(code: .internalError, message: "Metadata came in the middle of the response.")
    case nil:
      throw RPCError(code: .internalError, message: "The stream ended without a status.")
    }
  }
}

/// What a closure makes of a response's parts, until it makes nothing.
///
/// A class, so that a sequence is small wherever it is held while its call is open.
@usableFromInline
final class ResponseElements<Element: Sendable>: Sendable {
  @usableFromInline
  let parts: ResponseParts
  @usableFromInline
  let read: @Sendable (ResponseParts.Part) throws -> Element?

  @inlinable
  init(
    of parts: ResponseParts, read: @escaping @Sendable (ResponseParts.Part) throws -> Element?
  ) {
    self.parts = parts
    self.read = read
  }
}

extension RPCAsyncSequence {
  /// The parts of a response as something to read from: messages of another type than arrays are copied.
  @usableFromInline
  func responseSource<Bytes: GRPCContiguousBytes & Sendable>()
    -> RPCInboundSource<RPCResponsePart<[UInt8]>>
  where Element == RPCResponsePart<Bytes>, Failure == any Error {
    let source: AnyObject = asSource()
    return source as? RPCInboundSource<RPCResponsePart<[UInt8]>> ?? CopyingSource(asSource())
  }
}

/// A response's parts, with their messages as arrays of bytes.
private final class CopyingSource<Bytes: GRPCContiguousBytes & Sendable>:
  RPCInboundSource<RPCResponsePart<[UInt8]>>, @unchecked Sendable
{
  // `@unchecked` holds because nothing here changes.
  private let base: RPCInboundSource<RPCResponsePart<Bytes>>

  init(_ base: RPCInboundSource<RPCResponsePart<Bytes>>) { self.base = base }

  override func next() async throws -> RPCResponsePart<[UInt8]>? {
    switch try await base.next() {
    case .metadata(let metadata): .metadata(metadata)
    case .message(let bytes): .message(bytes.withUnsafeBytes { [UInt8]($0) })
    case .status(let status, let metadata): .status(status, metadata)
    case nil: nil
    }
  }

  override var latestIsCompressed: Bool { base.latestIsCompressed }
}
