import GRPCCore
import KartAPI
import Testing

@testable import KartCommand

struct RaceLoadTests {
  private func load(
    _ answers: [Result<ListRacesResponse, RPCError>], calls: Int, concurrency: Int = 4
  ) async throws -> (latencies: Int?, failures: [RPCError.Code: Int], text: String) {
    try await withClient(of: [ScriptedGateway(races: answers)]) { client in
      let report = await RaceLoad(
        service: SwiftKartService.Client(wrapping: client), request: .with { $0.limit = 100 },
        options: .defaults, concurrency: concurrency, extent: .calls(calls)
      ).run()
      return (report.latencies?.count, report.failures, report.text)
    }
  }

  @Test(arguments: [(1, 1), (10, 4), (3, 8)])
  func makesAsManyCallsAsAskedFor(calls: Int, concurrency: Int) async throws {
    let report = try await load([.success(.init())], calls: calls, concurrency: concurrency)
    #expect(report.latencies == calls)
    #expect(report.failures.isEmpty)
    #expect(report.text.hasPrefix("\(calls) calls in "))
    #expect(report.text.contains("\nlatency: p50 "))
    #expect(!report.text.contains("failed"))
  }

  @Test func countsFailuresByTheirKind() async throws {
    func fail(_ code: RPCError.Code) -> Result<ListRacesResponse, RPCError> {
      .failure(RPCError(code: code, message: "as told"))
    }
    let report = try await load(
      [fail(.unavailable), fail(.deadlineExceeded), fail(.unavailable), .success(.init())],
      calls: 9)
    #expect(report.latencies == 6)
    #expect(report.failures == [.unavailable: 2, .deadlineExceeded: 1])
    #expect(report.text.contains("2 calls failed: UNAVAILABLE\n"))
    #expect(report.text.contains("1 calls failed: DEADLINE_EXCEEDED\n"))
  }

  @Test func saysOnlyWhatFailedWhereNothingSucceeded() async throws {
    let report = try await load(
      [.failure(RPCError(code: .internalError, message: ""))], calls: 2)
    #expect(report.latencies == nil)
    #expect(report.text == "2 calls failed: INTERNAL\n")
  }

  @Test func anInterruptionIsNoFailure() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await load([.success(.init())], calls: 5)
    }
    let report = try await task.value
    #expect(report.latencies == nil)
    #expect(report.failures.isEmpty)
  }
}
