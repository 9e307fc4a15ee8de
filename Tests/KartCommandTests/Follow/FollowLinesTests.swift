import GRPCCore
import KartAPI
import KartTesting
import Synchronization
import Testing

@testable import KartCommand

struct FollowLinesTests {
  private let clock = ManualClock()

  @Test func tellsOnceThatNothingComes() async throws {
    let (errors, tell) = AsyncStream.makeStream(of: String.self)
    let output = Mutex<[String]>([])
    let lines = FollowLines(
      race: "Race", output: { line in output.withLock { $0.append(line) } },
      errors: { tell.yield($0) })
    let watch = Task { [clock] in try await lines.watch(by: clock) }
    var next = errors.makeAsyncIterator()

    func wait() async {
      await clock.sleepers()
      clock.advance(by: FollowLines.patience)
      await clock.sleepers()
    }
    // Not connected yet, which is another matter.
    await wait()
    try await lines.take(.connected)
    await wait()
    #expect(await next.next()?.hasPrefix("kart follow: no event of Race for 5s: ") == true)
    await wait()
    try await lines.take(.event(.locations(1)))
    await wait()
    // This is the next thing it says.
    try await lines.take(
      .disconnected(RPCError(code: .unavailable, message: "gone"), retryIn: .zero))
    #expect(await next.next() == "kart follow: reconnecting (UNAVAILABLE: gone)\n")
    try await lines.take(.connected)
    #expect(await next.next() == "kart follow: following Race again\n")
    await wait()
    #expect(await next.next()?.hasPrefix("kart follow: no event of Race for 5s: ") == true)
    #expect(output.withLock(\.count) == 1)
    watch.cancel()
  }

  @Test func nothingThatOthersWroteSteersTheTerminal() async throws {
    let told = Mutex("")
    let lines = FollowLines(
      race: "Race\u{1b}[2J", output: { _ in }, errors: { line in told.withLock { $0 += line } })
    try await lines.take(
      .disconnected(RPCError(code: .unavailable, message: "gone\u{1b}]0;\u{7}"), retryIn: .zero))
    try await lines.take(.connected)
    #expect(
      told.withLock { $0 } == """
        kart follow: reconnecting (UNAVAILABLE: gone\\u{1b}]0;\\u{7})
        kart follow: following Race\\u{1b}[2J again

        """)
  }
}
