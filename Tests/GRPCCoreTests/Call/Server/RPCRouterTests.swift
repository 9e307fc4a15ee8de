import GRPCCore
import GRPCInProcessTransport
import Testing

@Suite struct RPCRouterTests {
  private var router = TextRouter()

  init() {
    router.onUnary { request, _ in ServerResponse(message: request.message) }
    router.onStreaming { _, _ in StreamingServerResponse { _ in [:] } }
  }

  private func isUnary(_ method: MethodDescriptor) -> Bool? {
    switch router.route(forMethod: method) {
    case .unary: true
    case .streaming: false
    case nil: nil
    }
  }

  @Test mutating func knowsItsMethods() {
    #expect(router.count == 2)
    #expect(Set(router.methods) == [TextMethods.unary, TextMethods.streaming])
    #expect(router.hasHandler(forMethod: TextMethods.unary))
    let removals = (0..<2).map { _ in router.removeHandler(forMethod: TextMethods.unary) }
    #expect(removals == [true, false])
    #expect(!router.hasHandler(forMethod: TextMethods.unary))
    #expect(isUnary(TextMethods.unary) == nil)
    #expect(router.methods == [TextMethods.streaming])
  }

  @Test mutating func aUnaryMethodGoesTheShortWayUnlessAnInterceptorSeesIt() {
    #expect(isUnary(TextMethods.unary) == true)
    #expect(isUnary(TextMethods.streaming) == false)
    router.registerInterceptors(
      pipeline: [.apply(Onlooker(), to: .methods([TextMethods.streaming]))])
    #expect(isUnary(TextMethods.unary) == true)
    router.registerInterceptors(
      pipeline: [.apply(Onlooker(), to: .services([TextMethods.service]))])
    #expect(isUnary(TextMethods.unary) == false)
  }

  @Test func aRouteAnswersWithBytes() async throws {
    guard case .unary(let handler) = router.route(forMethod: TextMethods.unary) else {
      Issue.record("There is no short way.")
      return
    }
    let context = ServerContext(
      descriptor: TextMethods.unary, remotePeer: "", localPeer: "", cancellation: .init())
    let reply = await handler([:], Array("hello".utf8), context)
    #expect(reply.message == Array("hello".utf8))
    #expect(reply.status == Status(code: .ok, message: ""))
    let failure = await handler([:], [0xFF], context)
    #expect(failure.message == nil)
    #expect(failure.status.code == .internalError)
  }
}
