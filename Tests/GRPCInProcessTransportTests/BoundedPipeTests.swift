import GRPCCore
import KartTesting
import Synchronization
import Testing

@testable import GRPCInProcessTransport

@Suite struct BoundedPipeTests {
  private let pipe = BoundedPipe<Int> {
    RPCError(code: .cancelled, message: "The task was cancelled.")
  }
  private let failure = RPCError(code: .aborted, message: "Enough.")

  private func fill() async throws {
    for element in 0..<InProcessTransport.bufferedParts { try await pipe.write(element) }
  }

  /// Gives other tasks every chance to do what they should not.
  private func letOthersRun() async {
    for _ in 0..<100 { await Task.yield() }
  }

  @Test func handsOnInOrder() async throws {
    async let writing: Void = {
      for element in 0..<1000 { try await pipe.write(element) }
      pipe.finish()
    }()
    var read: [Int] = []
    while let element = try await pipe.next() { read.append(element) }
    try await writing
    #expect(read == Array(0..<1000))
    #expect(try await pipe.next() == nil)
  }

  @Test func aWriterWaitsForRoom() async throws {
    try await fill()
    let log = Mutex<[String]>([])
    let writing = Task {
      try await pipe.write(-1)
      log.withLock { $0.append("written") }
    }
    await letOthersRun()
    log.withLock { $0.append("reading") }
    #expect(try await pipe.next() == 0)
    try await writing.value
    #expect(log.withLock { $0 } == ["reading", "written"])
  }

  @Test func whatIsLeftCanBeReadAfterTheEnd() async throws {
    try await fill()
    let writing = Task { try await pipe.write(-1) }
    await letOthersRun()
    pipe.finish()
    // In case the writer had not come that far.
    _ = try? await writing.value
    var read: [Int] = []
    while let element = try await pipe.next() { read.append(element) }
    #expect(read.prefix(InProcessTransport.bufferedParts).elementsEqual(0..<16))
    await #expect(throws: RPCError.self) { try await pipe.write(1) }
    pipe.fail(failure)
    #expect(try await pipe.next() == nil)
  }

  @Test func aFailureWakesAllAndDropsWhatIsLeft() async throws {
    try await fill()
    let writing = Task { try await pipe.write(-1) }
    await letOthersRun()
    pipe.fail(failure)
    await #expect(throws: failure) { try await writing.value }
    await #expect(throws: failure) { try await pipe.next() }
    await #expect(throws: failure) { try await pipe.write(1) }
    pipe.fail(RPCError(code: .unknown, message: "Later."))
    pipe.finish()
    await #expect(throws: failure) { try await pipe.next() }
  }

  @Test func aReaderIsWokenByTheEnd() async throws {
    let reading = Task { try await pipe.next() }
    await letOthersRun()
    pipe.finish()
    #expect(try await reading.value == nil)
  }

  @Test func aCancelledReaderLosesNothing() async throws {
    let reading = Task { try await pipe.next() }
    await letOthersRun()
    reading.cancel()
    await #expect(throws: RPCError.self) { try await reading.value }
    try await pipe.write(7)
    #expect(try await pipe.next() == 7)
  }

  @Test func aCancelledWriterWritesNothing() async throws {
    try await fill()
    let writing = Task { try await pipe.write(-1) }
    await letOthersRun()
    writing.cancel()
    await #expect(throws: RPCError.self) { try await writing.value }
    pipe.finish()
    var read: [Int] = []
    while let element = try await pipe.next() { read.append(element) }
    #expect(!read.contains(-1))
  }

  @Test func oneTaskReadsAtATime() async throws {
    let reading = Task { try await pipe.next() }
    await letOthersRun()
    let second = Task { try await pipe.next() }
    await letOthersRun()
    try await pipe.write(1)
    pipe.finish()
    // Whichever came first has the element; the other is refused or sees the end.
    let results = [await reading.result, await second.result]
    #expect(results.contains { (try? $0.get()) == 1 })
  }
}
