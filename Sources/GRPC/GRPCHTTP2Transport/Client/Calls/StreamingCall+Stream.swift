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
    // The call's own task gives the whole call up when it is cancelled, which then fails its reads.
    guard !call.isOwnTask else { return try await next(StreamingCall.ownWaitID) }
    let id = call.newWaitID()
    return try await withTaskCancellationHandler {
      try await next(id)
    } onCancel: {
      call.channel.tell { [call] _ in call.cancelRead(id) }
    }
  }

  private func next(_ waitID: Int) async throws -> RPCResponsePart<[UInt8]>? {
    try await withUnsafeThrowingContinuation { continuation in
      call.channel.tell { [call] _ in call.takePart(waitID, continuation) }
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
    if call.channel.loop.inEventLoop, try call.write(part, options) { return }
    let isWritten = call.channel.loop.inEventLoop
    // As for reads.
    guard !call.isOwnTask else {
      return try await write(isWritten ? nil : part, options, StreamingCall.ownWaitID)
    }
    let id = call.newWaitID()
    try await withTaskCancellationHandler {
      try await write(isWritten ? nil : part, options, id)
    } onCancel: {
      call.channel.tell { [call] _ in call.cancelWrite(id) }
    }
  }

  /// Writes, if that is still to be done, and waits for room.
  private func write(_ part: Element?, _ options: WriteOptions, _ waitID: Int) async throws {
    try await withUnsafeThrowingContinuation { continuation in
      call.channel.tell { [call] _ in
        do throws(RPCError) {
          if let part { _ = try call.write(part, options) }
          call.waitForRoom(waitID, continuation)
        } catch {
          continuation.resume(throwing: error)
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
