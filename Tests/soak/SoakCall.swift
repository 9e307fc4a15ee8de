import GRPCCore
import GRPCHTTP2Transport

/// One call of a kind, with the end that it must come to.
enum SoakCall: String {
  case unary
  case stream
  case failing
  case late
  case abandoned

  /// The kind that has its turn.
  init(of index: Int) {
    self =
      switch index % 16 {
      case 3, 9: .stream
      case 5: .failing
      case 11: .late
      case 13: .abandoned
      default: .unary
      }
  }

  private static let message = [UInt8](repeating: 7, count: 16)

  func make(over transport: HTTP2ClientTransport) async throws {
    switch self {
    case .unary:
      let outcome = await unary("Unary", over: transport, metadata: ["x-caller": "soak"])
      try outcome.expect(nil)
    case .failing:
      try await unary("Fail", over: transport).expect(.notFound)
    case .late:
      var options = CallOptions.defaults
      options.timeout = .milliseconds(1)
      try await unary("Hang", over: transport, options: options).expect(.deadlineExceeded)
    case .stream:
      let count = try await stream(over: transport, messages: 3) { _ in true }
      guard count == 3 else { throw Wrong(what: "a stream echoed \(count) of 3 messages") }
    case .abandoned:
      // The rest is cancelled.
      _ = try await stream(over: transport, messages: 3) { $0 < 1 }
    }
  }

  private func unary(
    _ method: String, over transport: HTTP2ClientTransport, metadata: Metadata = [:],
    options: CallOptions = .defaults
  ) async -> UnaryOutcome<[UInt8]> {
    await transport.unary(
      descriptor: SoakService.method(method), options: options, metadata: metadata,
      message: Self.message)
  }

  /// Sends messages and reads them back for as long as `goesOn` says.
  private func stream(
    over transport: HTTP2ClientTransport, messages: Int, while goesOn: @Sendable (Int) -> Bool
  ) async throws -> Int {
    try await transport.withStream(descriptor: SoakService.method("Stream"), options: .defaults) {
      stream, _ in
      try await stream.outbound.write(.metadata([:]))
      for _ in 0..<messages { try await stream.outbound.write(.message(Self.message)) }
      await stream.outbound.finish()
      var count = 0
      for try await part in stream.inbound {
        if case .message = part { count += 1 }
        if !goesOn(count) { break }
      }
      return count
    }
  }

  struct Wrong: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
  }
}

extension UnaryOutcome {
  private var failure: RPCError? {
    switch self {
    case .accepted(let answer):
      switch answer.message {
      case .success: nil
      case .failure(let error): error
      }
    case .rejected(let error): error
    }
  }

  /// Makes sure that the call ended with an error of one code, or with none.
  fileprivate func expect(_ code: RPCError.Code?) throws {
    guard failure?.code != code else { return }
    throw SoakCall.Wrong(
      what: "a call ended with \(failure.map { "\($0)" } ?? "a message")")
  }
}
