import GRPCCore

/// What a call sends.
extension ServerCall {
  /// A writer that waits is let on when no more than this is queued.
  var outboundLowMark: Int { connection.configuration.maxBufferedResponseBytes / 2 }

  /// Whether a writer is to wait.
  var outboundIsFull: Bool {
    outbound.byteCount > connection.configuration.maxBufferedResponseBytes && phase == .running
  }

  /// Answers a request that no handler sees.
  func refuse(_ answer: HeaderList) {
    phase = .answered
    connection.session.submitTrailersOnly(self, answer)
    resetOpenRequest()
  }

  /// Gives the whole response of a unary call.
  func finish(_ reply: UnaryReply<[UInt8]>) {
    guard phase == .running else { return }
    guard let message = reply.message, reply.status.code == .ok else {
      if !reply.metadata.isEmpty { submitHeaders(reply.metadata) }
      return finish(reply.status, reply.trailingMetadata)
    }
    phase = .answered
    dropDeadline()
    headersAreSubmitted = true
    outbound.append(message)
    end(reply.status, reply.trailingMetadata)
    connection.session.submitResponse(self, ServerAnswer.headers(reply.metadata))
    connection.setNeedsFlush()
  }

  /// Gives the status, after which nothing of the handler counts any more.
  func finish(_ status: Status, _ metadata: Metadata = [:]) {
    guard phase != .answered, phase != .closed else { return }
    phase = .answered
    dropDeadline()
    if headersAreSubmitted {
      end(status, metadata)
      connection.session.resume(self)
    } else {
      connection.session.submitTrailersOnly(self, ServerAnswer.trailersOnly(status, metadata))
      resetOpenRequest()
    }
    connection.setNeedsFlush()
  }

  func submitHeaders(_ metadata: Metadata) {
    guard phase == .running, !headersAreSubmitted else { return }
    headersAreSubmitted = true
    connection.session.submitResponse(self, ServerAnswer.headers(metadata))
    connection.setNeedsFlush()
  }

  /// Queues a message; the response's headers go before the first.
  func send(_ message: [UInt8]) {
    submitHeaders([:])
    outbound.append(message)
    connection.session.resume(self)
    connection.setNeedsFlush()
  }

  /// What more the client would send is of no use once the answer is complete.
  func resetOpenRequest() {
    if !requestHasEnded { connection.session.resetLate(self, .noError) }
  }

  private func end(_ status: Status, _ metadata: Metadata) {
    trailers = ServerAnswer.trailers(status, metadata)
    outboundEnd = .withTrailers
  }
}
