import GRPCCore
import Synchronization

/// A call whose messages are written and read one by one.
///
/// What was received and not read yet holds the stream's flow-control window, and what was written and not
/// sent yet holds the writer: both sides are bounded.
///
/// Everything happens on the channel's loop.
final class StreamingCall: ClientCall, @unchecked Sendable {
  typealias Part = RPCResponsePart<[UInt8]>

  private enum Reading {
    case open
    /// The last part is the server's status.
    case finished
    case failed(RPCError)
  }

  /// What was received, as it was sent: a message is decompressed when it is taken, so that the window bounds what
  /// waits here.
  @exclusivity(unchecked)
  private var parts = Queue<(part: Part, isCompressed: Bool)>()
  /// Whether the part that was taken last was compressed. Its reader has asked for no other when it
  /// looks here.
  private(set) var latestTakenIsCompressed = false
  private var reading = Reading.open
  private var reader: (waitID: Int, continuation: UnsafeContinuation<Part?, any Error>)?
  /// A read whose cancellation overtook it on the way to the loop.
  private var cancelledRead: Int?
  /// Bytes received that are not given back to the window yet.
  @exclusivity(unchecked)
  private var heldBytes = 0
  private var hasSent = false
  /// The request so far, with which the call can be made again; nil once the response has begun, or there is more than
  /// can be kept.
  @exclusivity(unchecked)
  private(set) var replay: KeptRequest? = KeptRequest()
  /// The size of the largest message that was written before the service's configuration was known.
  private var largestSize = 0
  private var writers = WritersWaiting()
  private var hedged: HedgedCall<StreamingAttempt>?
  /// The attempt of a hedged call that the call has committed to.
  private var chosen: StreamingAttempt?
  /// The task that the call is cancelled with; it is compared and nothing else.
  private let ownTask = withUnsafeCurrentTask { $0 }
  private let waitIDs = Atomic(StreamingCall.ownWaitID)

  // MARK: Whose waits they are

  /// Tells the waits of the call's own task from others', which are cancelled one by one.
  static let ownWaitID = WritersWaiting.ownTaskID

  /// Whether this is the task in which the call was made. From any thread.
  var isOwnTask: Bool { withUnsafeCurrentTask { $0 != nil && $0 == ownTask } }

  /// A number for a wait of another task. From any thread.
  func newWaitID() -> Int { waitIDs.wrappingAdd(1, ordering: .relaxed).newValue }

  // MARK: Reading

  /// Takes the next part.
  ///
  /// - Returns: The part, nil after the last; or nothing if it is still to come.
  /// - Throws: Why the call failed.
  func takePart() throws(RPCError) -> Part?? {
    if let (part, isCompressed) = parts.popFirst() {
      giveBack(for: part)
      return .some(try content(of: part, isCompressed: isCompressed))
    }
    switch reading {
    case .open: return nil
    case .finished: return .some(nil)
    case .failed(let error): throw error
    }
  }

  /// Resumes a reader with the next part once it is there.
  func takePart(_ waitID: Int, _ continuation: UnsafeContinuation<Part?, any Error>) {
    do throws(RPCError) {
      if let part = try takePart() {
        continuation.resume(returning: part)
      } else if cancelledRead == waitID {
        continuation.resume(throwing: CancellationError())
      } else if reader == nil {
        reader = (waitID, continuation)
      } else {
        continuation.resume(
          throwing: RPCError(code: .internalError, message: "Two tasks read one response."))
      }
    } catch {
      continuation.resume(throwing: error)
    }
  }

  /// A reader's task was cancelled; the call goes on.
  func cancelRead(_ waitID: Int) {
    guard let reader, reader.waitID == waitID else { return cancelledRead = waitID }
    self.reader = nil
    reader.continuation.resume(throwing: CancellationError())
  }

  override func didReceive(metadata: Metadata) {
    replay = nil
    deliver(.metadata(metadata))
  }

  override func didReceive(message: [UInt8]) {
    didReceive(message: message, isCompressed: latestIsCompressed)
  }

  /// A message came, to this call or to an attempt of it.
  func didReceive(message: [UInt8], isCompressed: Bool) {
    deliver(.message(message), isCompressed: isCompressed)
  }

  private func deliver(_ part: Part, isCompressed: Bool = false) {
    guard reader != nil else { return parts.append((part, isCompressed)) }
    // Where it cannot be decompressed, the call has failed, and so has its reader.
    guard let part = try? content(of: part, isCompressed: isCompressed), let reader else { return }
    self.reader = nil
    reader.continuation.resume(returning: part)
  }

  /// Decompresses a part that is about to be taken; where that is impossible, the call fails.
  private func content(of part: Part, isCompressed: Bool) throws(RPCError) -> Part {
    latestTakenIsCompressed = isCompressed
    guard isCompressed, case .message(let message) = part else { return part }
    do throws(MessageDeframer.Failure) {
      return .message(try content(of: message, isCompressed: true))
    } catch {
      let error = RPCError(error)
      // Nothing behind it is read, not even the status of a call that has ended.
      parts.removeAll()
      reading = .failed(error)
      fail(error)
      throw error
    }
  }

  /// Bytes of a message that is still incomplete are given back at once if nothing waits before it: it could
  /// be larger than the window.
  override func didTake(_ count: Int) {
    heldBytes += count
    if parts.isEmpty { giveBack(heldBytes) }
  }

  private func giveBack(for part: Part) {
    if parts.isEmpty {
      giveBack(heldBytes)
    } else if case .message(let message) = part {
      giveBack(min(heldBytes, OutboundMessages.prefixSize + message.count))
    }
  }

  private func giveBack(_ count: Int) {
    guard count > 0 else { return }
    heldBytes -= count
    if let chosen {
      chosen.connection?.consume(count, of: chosen)
    } else {
      connection?.consume(count, of: self)
    }
  }

  // MARK: Writing

  private var isFull: Bool { unsentBytes > channel.configuration.outboundBufferBytes }

  /// How many bytes wait to be sent; of several attempts by that which has fewest.
  private var unsentBytes: Int {
    if let chosen { return chosen.outbound.byteCount }
    guard let hedged else { return outbound.byteCount }
    return hedged.open.lazy.map(\.outbound.byteCount).min() ?? replay?.byteCount ?? 0
  }

  /// Takes a part of the request.
  ///
  /// - Returns: Whether there is room for more; if not, the writer must wait for it.
  /// - Throws: Why nothing can be written any more.
  func write(
    _ part: RPCRequestPart<[UInt8]>, _ options: WriteOptions
  ) throws(RPCError) -> Bool {
    try checkWritable()
    switch part {
    case .metadata(let metadata):
      self.metadata = metadata
      start()
    case .message(let message):
      do throws(RPCError) {
        try send(message, options.compression)
      } catch {
        fail(error)
        throw error
      }
    }
    return !isFull
  }

  private func send(
    _ message: [UInt8], _ compression: CompressionAlgorithm?
  ) throws(RPCError) {
    try check(size: message.count)
    if !isConfigured { largestSize = max(largestSize, message.count) }
    guard hedged == nil else {
      for attempt in openAttempts { attempt.send(message, compression) }
      return keep(message, compression)
    }
    queue(message, compression: compression)
    keep(message, compression)
    connection?.resume(self)
  }

  /// The attempts that are to get what is written.
  private var openAttempts: [StreamingAttempt] { hedged?.open ?? [] }

  func waitForRoom(_ waitID: Int, _ continuation: UnsafeContinuation<Void, any Error>) {
    guard case .open = reading, isFull else {
      do throws(RPCError) {
        try checkWritable()
        continuation.resume()
      } catch {
        continuation.resume(throwing: error)
      }
      return
    }
    writers.add(waitID, continuation)
  }

  /// A writer's task was cancelled; the call goes on.
  func cancelWrite(_ waitID: Int) {
    writers.cancel(waitID)
  }

  /// Ends the request.
  func finishWriting() {
    guard outboundEnd == .open else { return }
    outboundEnd = .withData
    connection?.resume(self)
    for attempt in openAttempts { attempt.finishSending() }
  }

  private func checkWritable() throws(RPCError) {
    switch reading {
    case .open where outboundEnd == .open: return
    case .open:
      throw RPCError(code: .internalError, message: "A message was written after the last.")
    case .finished:
      throw RPCError(code: .cancelled, message: "The server has ended the call.")
    case .failed(let error): throw error
    }
  }

  override func didConfigure() {
    if replay == nil { retry = nil }
    do throws(RPCError) {
      try check(size: largestSize)
    } catch {
      fail(error)
    }
  }

  /// Keeps a message to be sent again; a call that has sent more than can be kept is made once.
  private func keep(_ message: [UInt8], _ compression: CompressionAlgorithm?) {
    guard replay != nil else { return }
    replay?.append(message, compression)
    guard isTooLongToKeep else { return }
    guard hedged == nil else { return commitToFurthest() }
    replay = nil
    retry = nil
  }

  private var isTooLongToKeep: Bool {
    (replay?.byteCount ?? 0) > channel.configuration.retryBufferBytes
  }

  /// Without what was sent only a call that has sent nothing but its headers can begin anew.
  override func rewind() -> Bool {
    guard let replay else { return !hasSent }
    queue(replay)
    hasSent = false
    return true
  }

  override var keepsRequest: Bool { replay != nil || !hasSent }

  override func outboundDidShrink() {
    hasSent = true
    makeRoom()
  }

  /// Some of what was written was sent: writers go on once there is enough room.
  func makeRoom() {
    guard !writers.isEmpty, 2 * unsentBytes <= channel.configuration.outboundBufferBytes
    else { return }
    writers.resumeAll()
  }

  // MARK: Hedging

  override func enter(_ channel: Channel) {
    // The attempts are made with what the service's configuration says, which may still come. What was written until
    // then may be more than can be kept.
    guard isConfigured, replay != nil, let policy = options.executionPolicy?.hedge else {
      return super.enter(channel)
    }
    outbound.removeAll()
    let hedged = HedgedCall(policy, for: self) { [unowned self] number in
      StreamingAttempt(of: self, number: number)
    } onEnd: { [self] _, end in
      self.hedged = nil
      self.end(end)
    }
    self.hedged = hedged
    hedged.startNext()
  }

  /// Goes on with an attempt whose response has begun, and delivers that from now on.
  func commit(to attempt: StreamingAttempt, _ metadata: Metadata) {
    commit(to: attempt)
    adoptDecompressor(of: attempt)
    deliver(.metadata(metadata))
  }

  private func commit(to attempt: StreamingAttempt) {
    guard chosen == nil else { return }
    chosen = attempt
    replay = nil
    hedged?.commit(to: attempt)
    makeRoom()
  }

  /// More was written than can be kept for another attempt. While there is none, the next one is the last.
  private func commitToFurthest() {
    let furthest = openAttempts.min { $0.outbound.byteCount < $1.outbound.byteCount }
    if let furthest { commit(to: furthest) }
  }

  /// An attempt begins, with everything that was written.
  func attemptWillStart(_ attempt: StreamingAttempt) {
    if isTooLongToKeep { commit(to: attempt) }
  }

  func attemptDidEnd(_ attempt: StreamingAttempt, _ end: End) {
    hedged?.attemptDidEnd(attempt, end)
  }

  // MARK: The end

  override func didEnd(_ end: End) {
    let hedged = hedged
    self.hedged = nil
    chosen = nil
    replay = nil
    if case .failure(let error) = end { hedged?.abandon(error) }
    switch end {
    case .status(let status, let trailers):
      deliver(.status(status, trailers))
      reading = .finished
    case .failure(let error):
      // What came in order before a connection was lost is good; a call that was given up wants no more.
      if error.code == .cancelled || error.code == .deadlineExceeded { parts.removeAll() }
      reading = .failed(error)
    }
    if let reader {
      self.reader = nil
      if case .failed(let error) = reading { reader.continuation.resume(throwing: error) }
    }
    do throws(RPCError) { try checkWritable() } catch { writers.failAll(error) }
  }
}
