import GRPCCore

/// What a call's user reads from. From any thread; on the channel's loop it does not suspend if there is
/// something to read.
final class StreamingCallSource: RPCInboundSource<RPCResponsePart<[UInt8]>>, @unchecked Sendable {
  private let call: StreamingCall

  init(_ call: StreamingCall) {
    self.call = call
  }

  override func takeNext() throws -> RPCResponsePart<[UInt8]>?? {
    call.channel.loop.inEventLoop ? try call.takePart() : nil
  }

  override func next() async throws -> RPCResponsePart<[UInt8]>? {
    if let part = try takeNext() { return part }
    return try await withUnsafeThrowingContinuation { continuation in
      if call.channel.loop.inEventLoop {
        call.takePart(continuation)
      } else {
        call.channel.loop.execute { [call] in call.takePart(continuation) }
      }
    }
  }

  override var latestIsCompressed: Bool { call.latestTakenIsCompressed }
}

/// What a call's user writes to. From any thread; on the channel's loop it suspends only for want of room.
struct StreamingCallWriter: ClosableRPCWriterProtocol {
  typealias Element = RPCRequestPart<[UInt8]>

  let call: StreamingCall

  func write(_ part: Element) async throws {
    try await write(part, options: WriteOptions())
  }

  func write(_ part: Element, options: WriteOptions) async throws {
    if call.channel.loop.inEventLoop {
      if try call.write(part, options) { return }
      try await withUnsafeThrowingContinuation { call.waitForRoom($0) }
    } else {
      try await withUnsafeThrowingContinuation { continuation in
        call.channel.loop.execute { [call] in
          do throws(RPCError) {
            _ = try call.write(part, options)
            call.waitForRoom(continuation)
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    }
  }

  func write(contentsOf parts: some Sequence<Element>) async throws {
    for part in parts { try await write(part) }
  }

  func finish() async {
    if call.channel.loop.inEventLoop {
      call.finishWriting()
    } else {
      call.channel.loop.execute { [call] in call.finishWriting() }
    }
  }

  func finish(throwing error: any Error) async {
    call.leave(because: error)
  }
}
