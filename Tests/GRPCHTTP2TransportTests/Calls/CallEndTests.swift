import EventLoop
import GRPCCore
import Testing

import class KartTesting.Latch

@testable import GRPCHTTP2Transport

/// How calls end that do not run their course: both sides learn of it, and of the same.
@Suite(.timeLimit(.minutes(1))) struct CallEndTests {
  private enum Kind: CaseIterable {
    case unary
    case bidirectional
  }

  /// A service whose handlers wait until their call is cancelled, and the client's call of one.
  private struct Waiting: Sendable {
    let started = Latch<ServerContext>()
    let handlerError = Latch<any Error>()
    let told = Latch<Void>()

    var service: FilledService {
      FilledService(
        unary: { _, context in
          try await wait(context)
          return ServerResponse(message: [])
        },
        bidirectional: { request, context in
          StreamingServerResponse { writer in
            try await writer.write([1])
            try await wait(context) { for try await _ in request.messages {} }
            return [:]
          }
        })
    }

    private func wait(
      _ context: ServerContext,
      _ body: () async throws -> Void = { try await Latch<Void>().value }
    ) async throws {
      do {
        try await withRPCCancellationHandler {
          started.close(with: context)
          try await body()
        } onCancelRPC: {
          told.close(with: ())
        }
      } catch {
        handlerError.close(with: error)
        throw error
      }
    }

    func call(_ kind: Kind, _ client: EchoClient, options: CallOptions = .defaults) async throws {
      switch kind {
      case .unary: _ = try await client.echo([1], options: options)
      case .bidirectional:
        try await client.bidirectional(options: options) { _ in
          try await Latch<Void>().value
        } _: { response in
          for try await _ in response.messages {}
        }
      }
    }

    func failure(
      _ kind: Kind, _ client: EchoClient, options: CallOptions = .defaults
    ) async throws -> RPCError {
      try await #require(throws: RPCError.self) { try await call(kind, client, options: options) }
    }
  }

  @Test(arguments: Route.allCases, Kind.allCases)
  private func aDeadlineEndsTheCallOnBothSides(route: Route, kind: Kind) async throws {
    let waiting = Waiting()
    try await EchoCalls(route: route, services: [waiting.service]).run { (client, _) async throws in
      var options = CallOptions.defaults
      options.timeout = .milliseconds(200)
      let before = ContinuousClock.now
      // On a busy machine the deadline may pass before the handler is reached.
      repeat {
        #expect(try await waiting.failure(kind, client, options: options).code == .deadlineExceeded)
      } while waiting.started.current == nil
      let context = try await waiting.started.value
      let deadline = try #require(context.deadline)
      // The server counts from when the request has come, which is later than the client does.
      #expect(deadline > before && deadline <= .now + .milliseconds(200))
      try await waiting.told.value
      #expect(context.cancellation.isCancelled)
      _ = try await waiting.handlerError.value
    }
  }

  @Test(arguments: Route.allCases, Kind.allCases)
  private func aClientThatCancelsEndsTheHandler(route: Route, kind: Kind) async throws {
    let waiting = Waiting()
    try await EchoCalls(route: route, services: [waiting.service]).run { (client, _) async throws in
      let call = Task { try await waiting.failure(kind, client) }
      let context = try await waiting.started.value
      call.cancel()
      #expect(try await call.value.code == .cancelled)
      try await waiting.told.value
      #expect(context.cancellation.isCancelled)
      _ = try await waiting.handlerError.value
    }
  }

  @Test(arguments: Route.allCases, Kind.allCases)
  private func aHandlerThatCancelsEndsTheCall(route: Route, kind: Kind) async throws {
    let waiting = Waiting()
    try await EchoCalls(route: route, services: [waiting.service]).run { (client, _) async throws in
      let call = Task { try await waiting.failure(kind, client) }
      try await waiting.started.value.cancellation.cancel()
      #expect(try await call.value.code == .cancelled)
      try await waiting.told.value
      _ = try await waiting.handlerError.value
    }
  }

  @Test(arguments: Kind.allCases)
  private func aServerThatIsStoppedEndsItsCalls(kind: Kind) async throws {
    let waiting = Waiting()
    var calls = EchoCalls(services: [waiting.service])
    calls.server.maxDrainTime = .milliseconds(10)
    try await calls.run { client, server in
      let call = Task { try await waiting.failure(kind, client) }
      _ = try await waiting.started.value
      server.beginGracefulShutdown()
      #expect(try await call.value.code == .unavailable)
      try await waiting.told.value
    }
  }

  @Test(arguments: Kind.allCases)
  private func aLostClientEndsTheHandler(kind: Kind) async throws {
    let waiting = Waiting()
    try await EchoCalls(services: [waiting.service]).run { _, server in
      let transport = try HTTP2ClientTransport(target: "\(try await server.listeningAddress)")
      let client = GRPCClient(transport: transport)
      let running = Task { try await client.runConnections() }
      let call = Task { try await waiting.failure(kind, EchoClient(client: client)) }
      _ = try await waiting.started.value
      running.cancel()
      try await waiting.told.value
      let code = try await call.value.code
      #expect(code == .unavailable || code == .cancelled)
    }
  }

  /// Runs a service whose handlers call another one, which waits.
  private func withCaller(
    of inner: Waiting,
    _ body:
      @Sendable (EchoClient, HTTP2ServerTransport, _ innerError: Latch<RPCError>) async throws
      -> Void
  ) async throws {
    try await EchoCalls(services: [inner.service]).run { innerClient, _ in
      let innerError = Latch<RPCError>()
      let outer = FilledService(unary: { _, _ in
        let error = try await inner.failure(.unary, innerClient)
        innerError.close(with: error)
        throw error
      })
      try await EchoCalls(services: [outer]).run { try await body($0, $1, innerError) }
    }
  }

  /// A handler's own call ends with the call that it handles.
  @Test func aCallOfAHandlerIsCancelledWithIt() async throws {
    let inner = Waiting()
    try await withCaller(of: inner) { client, _, innerError in
      let call = Task { try await inner.failure(.unary, client) }
      #expect(try await inner.started.value.deadline == nil)
      call.cancel()
      #expect(try await call.value.code == .cancelled)
      try await inner.told.value
      #expect(try await innerError.value.code == .cancelled)
    }
  }

  @Test func aCallOfAHandlerHasItsDeadline() async throws {
    let inner = Waiting()
    try await withCaller(of: inner) { _, server, innerError in
      // A client of ours keeps the deadline itself, and cancels the call a moment before the server does.
      let client = try WireClient(
        to: try await server.listeningAddress, on: EventLoopGroup.shared.next())
      var stream: UInt32 = 1
      // On a busy machine the deadline may pass before the inner handler is reached.
      repeat {
        let headers = WireHeaders.request("/test.Echo/Unary", [("grpc-timeout", "200m")])
        client.send(.headers(stream, headers), .message(stream))
        #expect(await client.answer(to: stream).fields["grpc-status"] == "4")
        stream += 2
      } while inner.started.current == nil
      #expect(try await inner.started.value.deadline != nil)
      try await inner.told.value
      #expect(try await innerError.value.code == .deadlineExceeded)
      client.close()
    }
  }

  /// A status that comes while the client still writes ends its writes.
  @Test func aServerMayEndTheCallWhileTheClientWrites() async throws {
    let writeEnded = Latch<Void>()
    let service = FilledService(bidirectional: { _, _ in
      StreamingServerResponse(error: RPCError(code: .permissionDenied, message: "No."))
    })
    try await EchoCalls(services: [service]).run { (client, _) async throws in
      let error = await #expect(throws: RPCError.self) {
        try await client.bidirectional { writer in
          defer { writeEnded.close(with: ()) }
          while true { try await writer.write([UInt8](repeating: 0, count: 1000)) }
        } _: { response in
          for try await _ in response.messages {}
        }
      }
      #expect(error == RPCError(code: .permissionDenied, message: "No."))
      try await writeEnded.value
    }
  }
}
