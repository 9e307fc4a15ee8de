import GRPCCore
import Glibc
import Testing

@testable import GRPCHTTP2Transport

/// Where handlers run.
@Suite(.timeLimit(.minutes(1))) struct HandlerExecutorTests {
  /// Answers with the name of its thread, before and after it has waited.
  private static let service = FilledService(
    unary: { request, _ in
      let before = threadName()
      await Task.yield()
      return ServerResponse(message: Array("\(before) \(threadName())".utf8))
    },
    bidirectional: { request, _ in
      StreamingServerResponse { writer in
        for try await _ in request.messages { try await writer.write(Array(threadName().utf8)) }
        return [:]
      }
    })

  private static func threadName() -> String {
    let file = open("/proc/thread-self/comm", O_RDONLY)
    defer { close(file) }
    var name = [UInt8](repeating: 0, count: 16)
    let count = read(file, &name, name.count)
    // The line ends after the name.
    return String(decoding: name.prefix(max(0, count - 1)), as: UTF8.self)
  }

  private func names(of service: any RegistrableRPCService) async throws -> Set<String> {
    try await EchoCalls(services: [service]).run { client, _ in
      var names = Set<String>()
      for _ in 0..<20 {
        let text = String(decoding: try await client.echo([1]), as: UTF8.self)
        names.formUnion(text.split(separator: " ").map(String.init))
      }
      let streamed = try await client.bidirectional { writer in
        for _ in 0..<20 { try await writer.write([1]) }
      } _: { response in
        try await response.messages.reduce(into: Set<String>()) {
          $0.insert(String(decoding: $1, as: UTF8.self))
        }
      }
      return names.union(streamed)
    }
  }

  @Test func handlersRunOnTheConnectionsLoop() async throws {
    #expect(try await names(of: Self.service) == ["loop-0"])
  }

  @Test func anOptionMovesAServicesHandlersToTheGlobalExecutor() async throws {
    let names = try await names(of: Self.service.onGlobalExecutor())
    #expect(!names.isEmpty && !names.contains("loop-0"))
  }
}
