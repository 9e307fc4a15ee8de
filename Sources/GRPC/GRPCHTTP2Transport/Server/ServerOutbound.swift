import EventLoop
import GRPCCore

/// The response of a streaming call, as its handler writes it.
///
/// A write that leaves more waiting than the bound waits until the client has taken enough, so a
/// client that does not read stops its handler, and no other.
struct ServerOutbound: ClosableRPCWriterProtocol {
  typealias Part = RPCResponsePart<[UInt8]>
  typealias Stream = RPCWriter<Part>.Closable

  let call: ServerCall

  func write(_ part: Part) async throws {
    try await write(part, options: WriteOptions())
  }

  func write(_ part: Part, options: WriteOptions) async throws {
    guard call.loop.inEventLoop else { return try await writeFromElsewhere(part, options) }
    try call.write(part, options)
    if call.outboundIsFull { try await call.waitForRoom() }
  }

  private func writeFromElsewhere(_ part: Part, _ options: WriteOptions) async throws {
    try await withUnsafeThrowingContinuation { continuation in
      call.loop.execute { continuation.resume(with: Result { try call.write(part, options) }) }
    }
    try await call.waitForRoom()
  }

  func write(contentsOf parts: some Sequence<Part>) async throws {
    for part in parts { try await write(part) }
  }

  func finish() async {
    call.onLoop { call.finish(.endedWithoutStatus) }
  }

  func finish(throwing error: any Error) async {
    call.onLoop {
      call.abandon(Status(code: .internalError, message: "The handler has failed."))
    }
  }
}

extension ServerCall {
  /// Takes a part of the response. Only on the loop.
  func write(_ part: ServerOutbound.Part, _ options: WriteOptions) throws {
    if let failure { throw failure }
    guard phase == .running else {
      throw RPCError(code: .internalError, message: "The response has its status already.")
    }
    switch part {
    case .metadata(let metadata): submitHeaders(metadata, compression: options.compression)
    case .message(let message):
      guard isWithinLimit(message) else {
        refuseToSend(message)
        throw failure
          ?? RPCError(code: .resourceExhausted, message: "The response message is too large.")
      }
      send(message, compression: options.compression)
    case .status(let status, let metadata): finish(status, metadata)
    }
  }

  /// Waits until there is room for more output. From any thread.
  func waitForRoom() async throws {
    guard isOwnTask else { return try await waitForRoomInOtherTask() }
    // The call's own task is cancelled by the call, which then fails its writes.
    try Task.checkCancellation()
    try await withUnsafeThrowingContinuation { wait(WritersWaiting.ownTaskID, $0) }
  }

  private func waitForRoomInOtherTask() async throws {
    let id = writerIDs.wrappingAdd(1, ordering: .relaxed).newValue
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        onLoop { self.wait(id, continuation) }
      }
    } onCancel: {
      loop.execute { self.writersWaiting.cancel(id) }
    }
  }

  private func wait(_ id: Int, _ continuation: WritersWaiting.Continuation) {
    if let failure {
      continuation.resume(throwing: failure)
    } else if outboundIsFull {
      writersWaiting.add(id, continuation)
    } else {
      continuation.resume()
    }
  }
}
