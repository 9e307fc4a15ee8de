import EventLoop
import GRPCCore
import Synchronization
import Testing

@testable import GRPCHTTP2Transport

/// That a server can begin with the first of many calls.
@Suite(.timeLimit(.minutes(1))) struct EarlyWriteTests {
  private final class Diary: EndOfTickHandler, Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func write(_ line: String) { lines.withLock { $0.append(line) } }

    func tickDidEnd() { write("end") }
  }

  @Test func callsAreWrittenBeforeTheLastOfATickIsMade() async throws {
    try await EchoCalls().run { client, _ in
      // From now on there is a connection.
      try await client.expectEcho(of: [1])
      let loop = try #require(client.transport).eventLoop
      let diary = Diary()
      try await withTaskExecutorPreference(loop) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in UInt8(0)..<40 {
            group.addTask {
              diary.write("call")
              if number == 0 { loop.atEndOfTick(diary) }
              try await client.expectEcho(of: [number])
            }
          }
          try await group.waitForAll()
        }
      }
      let lines = diary.all
      #expect(lines.count == 41)
      #expect((lines.firstIndex(of: "end") ?? 40) < 20, "\(lines)")
    }
  }
}
