import GRPCCore
import Synchronization
import Testing

/// A server transport whose messages are of a type of its own.
@Suite struct ForeignBytesTests {
  private struct Bytes: GRPCContiguousBytes, Sendable, Equatable {
    var array: [UInt8]

    init(repeating byte: UInt8, count: Int) { array = Array(repeating: byte, count: count) }
    init(_ sequence: some Sequence<UInt8>) { array = Array(sequence) }
    var count: Int { array.count }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try array.withUnsafeBytes(body)
    }

    mutating func withUnsafeMutableBytes<R>(
      _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R {
      try array.withUnsafeMutableBytes(body)
    }
  }

  private struct Transport: ServerTransport {
    typealias Bytes = ForeignBytesTests.Bytes

    func listen(
      streamHandler: @escaping @Sendable (RPCStream<Inbound, Outbound>, ServerContext) async -> Void
    ) async throws {}

    func beginGracefulShutdown() {}
  }

  private final class Answer: ClosableRPCWriterProtocol {
    let parts = Mutex<[RPCResponsePart<Bytes>]>([])

    func write(_ part: RPCResponsePart<Bytes>) async throws { parts.withLock { $0.append(part) } }

    func write(contentsOf parts: some Sequence<RPCResponsePart<Bytes>>) async throws {
      for part in parts { try await write(part) }
    }

    func finish() async {}
    func finish(throwing error: any Error) async {}
  }

  @Test func goThroughARouter() async {
    var router = RPCRouter<Transport>()
    router.onUnary { request, _ in
      ServerResponse(message: request.message.uppercased(), metadata: request.metadata)
    }
    let request = AsyncThrowingStream<RPCRequestPart<Bytes>, any Error> {
      $0.yield(.metadata(["a": "b"]))
      $0.yield(.message(Bytes("hello".utf8)))
      $0.finish()
    }
    let answer = Answer()
    let context = ServerContext(
      descriptor: TextMethods.unary, remotePeer: "", localPeer: "", cancellation: .init())
    await router.handle(
      stream: RPCStream(
        descriptor: TextMethods.unary, inbound: RPCAsyncSequence(wrapping: request),
        outbound: RPCWriter.Closable(wrapping: answer)), context: context)
    let expected: [RPCResponsePart<Bytes>] = [
      .metadata(["a": "b"]), .message(Bytes("HELLO".utf8)),
      .status(Status(code: .ok, message: ""), [:]),
    ]
    #expect(answer.parts.withLock { $0 } == expected)
  }
}
