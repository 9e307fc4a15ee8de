import GRPCCore

/// What a call sends.
extension ServerCall {
  /// A writer that waits is let on when no more than this is queued.
  var outboundLowMark: Int { connection.configuration.outboundBufferBytes / 2 }

  /// Whether a writer is to wait.
  var outboundIsFull: Bool {
    outbound.byteCount > connection.configuration.outboundBufferBytes && phase == .running
  }

  /// Answers a request that no handler sees.
  func refuse(_ answer: HeaderList, _ code: Status.Code) {
    phase = .answered
    measure?.code = code
    connection.session.submitTrailersOnly(self, answer)
    resetOpenRequest()
  }

  /// Gives the whole response of a unary call.
  func finish(_ reply: UnaryReply) {
    guard phase == .running else { return }
    guard let message = reply.message, reply.status.code == .ok else {
      if !reply.metadata.isEmpty {
        submitHeaders(reply.metadata, compression: CompressionAlgorithm.none)
      }
      return finish(reply.status, reply.trailingMetadata)
    }
    guard isWithinLimit(message) else { return refuseToSend(message) }
    if let flaw = reply.metadata.flaw { return refuseToSend(flaw) }
    let encoding = chooseEncoding(reply.compression)
    if reply.metadata.isEmpty, encoding == .none {
      finish(reply, message, ServerAnswer.headers)
    } else {
      let headers = ServerAnswer.headers(reply.metadata, encoding: encoding)
      guard reply.metadata.isEmpty || canSend(headers) else { return refuseToSend(headers) }
      finish(reply, message, headers)
    }
  }

  private func finish(_ reply: UnaryReply, _ message: [UInt8], _ headers: HeaderList) {
    phase = .answered
    headersAreSubmitted = true
    queue(message, compression: nil)
    end(reply.status, reply.trailingMetadata)
    connection.session.submitResponse(self, headers)
    connection.setNeedsFlush()
  }

  /// Gives the status, after which nothing of the handler counts any more.
  func finish(_ status: Status, _ metadata: Metadata = [:]) {
    guard phase != .answered, phase != .closed else { return }
    let (status, metadata) = Self.sendable(status, metadata)
    phase = .answered
    measure?.code = status.code
    hasGivenOK = status.code == .ok
    if headersAreSubmitted {
      end(status, metadata)
      if outbound.isEmpty {
        // Trailers need no room, but nghttp2 does not ask for them until there is some, which another stream may
        // have used up by then.
        submitTrailers()
        outboundEnd = .open
      } else {
        connection.session.resume(self)
      }
    } else {
      var trailers = ServerAnswer.trailersOnly(status, metadata)
      if !canSend(trailers) { trailers = ServerAnswer.trailersOnly(status.withoutMetadata()) }
      connection.session.submitTrailersOnly(self, trailers)
      resetOpenRequest()
    }
    connection.setNeedsFlush()
  }

  func submitHeaders(_ metadata: Metadata, compression: CompressionAlgorithm?) {
    guard phase == .running, !headersAreSubmitted else { return }
    if let flaw = metadata.flaw { return refuseToSend(flaw) }
    let headers = ServerAnswer.headers(metadata, encoding: chooseEncoding(compression))
    guard metadata.isEmpty || canSend(headers) else { return refuseToSend(headers) }
    headersAreSubmitted = true
    connection.session.submitResponse(self, headers)
    connection.setNeedsFlush()
  }

  /// Queues a message; the response's headers go before the first.
  func send(_ message: [UInt8], compression: CompressionAlgorithm?) {
    submitHeaders([:], compression: compression)
    queue(message, compression: compression)
    connection.session.resume(self)
    connection.setNeedsFlush()
  }

  private func canSend(_ headers: HeaderList) -> Bool {
    headers.size <= connection.session.maxSendHeaderListSize
  }

  /// Fails the call for metadata that is larger than the client takes.
  private func refuseToSend(_ headers: HeaderList) {
    abandon(
      Status(
        code: .resourceExhausted,
        message: "The response's header list has \(headers.size) bytes, and the client takes "
          + "\(connection.session.maxSendHeaderListSize)."))
  }

  /// Fails the call for metadata that no response can have.
  private func refuseToSend(_ flaw: String) {
    abandon(Status(code: .internalError, message: flaw))
  }

  /// A status with its metadata where that can be sent: a failure remains the same one without it, but a success
  /// without it is none.
  private static func sendable(_ status: Status, _ metadata: Metadata) -> (Status, Metadata) {
    guard let flaw = metadata.flaw else { return (status, metadata) }
    return (status.code == .ok ? Status(code: .internalError, message: flaw) : status, [:])
  }

  func isWithinLimit(_ message: [UInt8]) -> Bool {
    message.count <= connection.configuration.maxResponseMessageBytes ?? .max
  }

  /// Fails the call for a message that is larger than it may be.
  func refuseToSend(_ message: [UInt8]) {
    abandon(
      Status(
        code: .resourceExhausted,
        message: "The response message has \(message.count) bytes, and "
          + "\(connection.configuration.maxResponseMessageBytes ?? 0) are allowed."))
  }

  /// Settles how the response's messages are compressed: as wanted, if the client knows how.
  private func chooseEncoding(_ wanted: CompressionAlgorithm?) -> CompressionAlgorithm {
    let wanted = wanted ?? connection.configuration.compression.algorithm
    guard wanted != .none, acceptedEncodings.contains(wanted) else { return .none }
    compressor = MessageCodecs.of(loop).compressor(for: wanted)
    return wanted
  }

  private func queue(_ message: [UInt8], compression: CompressionAlgorithm?) {
    if let compressor, compression != CompressionAlgorithm.none,
      let compressed = compressor.compress(message)
    {
      outbound.append(compressed, isCompressed: true)
    } else {
      outbound.append(message)
    }
  }

  /// What more the client would send is of no use once the answer is complete.
  func resetOpenRequest() {
    if !requestHasEnded { connection.session.resetLate(self, .noError) }
  }

  private func end(_ status: Status, _ metadata: Metadata) {
    outboundEnd = .withTrailers
    let (status, metadata) = Self.sendable(status, metadata)
    measure?.code = status.code
    hasGivenOK = status.code == .ok
    if hasGivenOK, metadata.isEmpty { return }
    let trailers = ServerAnswer.trailers(status, metadata)
    self.trailers =
      canSend(trailers) ? trailers : ServerAnswer.trailers(status.withoutMetadata(), [:])
  }
}

extension Status {
  /// What to say where a status is too large for the client with its metadata or its message: a
  /// failure remains the same one, but a success without its metadata is none.
  fileprivate func withoutMetadata() -> Status {
    code == .ok
      ? Status(
        code: .resourceExhausted,
        message: "The response's trailing metadata is larger than the client takes.")
      : Status(code: code, message: String(message.prefix(256)))
  }
}
