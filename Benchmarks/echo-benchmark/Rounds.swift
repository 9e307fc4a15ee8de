import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import Glibc

/// Rounds of calls, one for each line on standard input, over one connection. Each prints its seconds
/// and the median of a call's or a message's microseconds.
///
/// Whoever writes the lines can thus look at both sides' CPU time between the rounds.
struct Rounds {
  let what: EchoCalls<HTTP2ClientTransport>.Case
  let target: String
  /// How many callers there are, or streams.
  let concurrency: Int
  /// How many calls or messages a round has.
  let count: Int
  let payload: Int

  init(_ arguments: Arguments) throws {
    guard let what = EchoCalls<HTTP2ClientTransport>.Case(rawValue: try arguments.text("case"))
    else { throw Arguments.Wrong() }
    self.what = what
    target = try arguments.text("target")
    concurrency = try arguments.number("concurrency")
    count = try arguments.number("count")
    payload = try arguments.number("payload")
  }

  func run() async throws {
    let transport = try HTTP2ClientTransport(target: target)
    try await withGRPCClient(transport: transport) { client in
      while readLine() != nil {
        let began = ContinuousClock.now
        var laps = try await round(client, on: transport.eventLoop)
        let elapsed = ContinuousClock.now - began
        print(elapsed / .seconds(1), laps.selectMedian())
        fflush(nil)
      }
    }
  }

  private func round(
    _ client: GRPCClient<HTTP2ClientTransport>, on loop: EventLoop
  ) async throws -> [Float] {
    let calls = EchoCalls(client: client, count: count / concurrency, payload: payload)
    return try await withThrowingTaskGroup { group in
      for _ in 0..<concurrency {
        group.addTask(executorPreference: loop) { try await calls.run(what) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}
