extension RPCStream
where
  Inbound == RPCAsyncSequence<RPCRequestPart<[UInt8]>, any Error>,
  Outbound == RPCWriter<RPCResponsePart<[UInt8]>>.Closable
{
  /// A transport's stream as routes take it: messages of another type are copied.
  init<Bytes: GRPCContiguousBytes & Sendable>(
    _ stream: RPCStream<
      RPCAsyncSequence<RPCRequestPart<Bytes>, any Error>, RPCWriter<RPCResponsePart<Bytes>>.Closable
    >
  ) {
    let any: any Sendable = stream
    self =
      any as? Self
      ?? RPCStream(
        descriptor: stream.descriptor,
        inbound: RPCAsyncSequence(source: CopyingSource(stream.inbound.asSource())),
        outbound: RPCWriter.Closable(wrapping: CopyingWriter(base: stream.outbound)))
  }
}

/// A request's parts, with their messages as arrays of bytes.
private final class CopyingSource<Bytes: GRPCContiguousBytes & Sendable>:
  RPCInboundSource<RPCRequestPart<[UInt8]>>, @unchecked Sendable
{
  // `@unchecked` holds because nothing here changes.
  private let base: RPCInboundSource<RPCRequestPart<Bytes>>

  init(_ base: RPCInboundSource<RPCRequestPart<Bytes>>) { self.base = base }

  override func next() async throws -> RPCRequestPart<[UInt8]>? {
    switch try await base.next() {
    case .metadata(let metadata): .metadata(metadata)
    case .message(let bytes): .message(bytes.withUnsafeBytes { [UInt8]($0) })
    case nil: nil
    }
  }

  override var latestIsCompressed: Bool { base.latestIsCompressed }
}

/// Writes a response's parts, with their messages as a transport has them.
private struct CopyingWriter<Bytes: GRPCContiguousBytes & Sendable>: ClosableRPCWriterProtocol {
  let base: RPCWriter<RPCResponsePart<Bytes>>.Closable

  func write(_ part: RPCResponsePart<[UInt8]>) async throws {
    try await base.write(copy(part))
  }

  func write(contentsOf parts: some Sequence<RPCResponsePart<[UInt8]>>) async throws {
    try await base.write(contentsOf: parts.map(copy))
  }

  func write(_ part: RPCResponsePart<[UInt8]>, options: WriteOptions) async throws {
    try await base.write(copy(part), options: options)
  }

  func finish() async { await base.finish() }

  func finish(throwing error: any Error) async { await base.finish(throwing: error) }

  private func copy(_ part: RPCResponsePart<[UInt8]>) -> RPCResponsePart<Bytes> {
    switch part {
    case .metadata(let metadata): .metadata(metadata)
    case .message(let bytes): .message(Bytes(bytes))
    case .status(let status, let metadata): .status(status, metadata)
    }
  }
}
