import GRPCCore
import GRPCInProcessTransport
import KartAPI
import KartProcess
import KartTesting
import Synchronization
import Testing

@testable import KartCommand

struct RecordSenderTests {
  typealias Sender = RecordSender<InProcessTransport.Client, ManualClock>

  private let clock = ManualClock()

  /// Runs a sender over a scripted service until everything is on disk, and wakes it whenever it
  /// waits after a failure.
  private func send(
    _ count: Int, to service: ScriptedTelemetry, _ numbering: Sender.Numbering = .continuing,
    limits: Sender.Limits = .init(), log: Log = Log("test", write: { _ in })
  ) async throws {
    try await withClient(of: [service]) { client in
      let sender = Sender(
        .init(wrapping: client), race: "Race", producer: "test", limits: limits, clock: clock,
        log: log)
      try await clock.hurrying {
        try await sender.start(numbering)
        async let run: Void = sender.run()
        async let sent: Void = {
          for index in 0..<count {
            try await sender.send([.with { $0.location.kartNumber = Int32(index + 1) }])
          }
          await sender.finish()
        }()
        _ = try await (run, sent)
      }
    }
  }

  private func karts(_ service: ScriptedTelemetry) -> [Int32] {
    service.batches.map { $0.observations[0].location.kartNumber }
  }

  @Test func numbersGoOnAfterWhatIsOnDisk() async throws {
    let service = ScriptedTelemetry(durable: 7)
    try await send(3, to: service)
    #expect(service.batches.map(\.number) == [8, 9, 10])
    #expect(service.batches.allSatisfy { $0.raceName == "Race" && $0.producerID == "test" })
    #expect(karts(service) == [1, 2, 3])
  }

  @Test func aProducerThatRepeatsItselfSendsOnlyWhatIsMissing() async throws {
    let service = ScriptedTelemetry(durable: 2)
    try await send(4, to: service, .repeating)
    #expect(service.batches.map(\.number) == [3, 4])
    #expect(karts(service) == [3, 4])
  }

  @Test(arguments: [
    RPCError.Code.unavailable, .deadlineExceeded, .resourceExhausted, .aborted, .internalError,
  ])
  func whatAFailedCallDidNotBringIsSentAgain(code: RPCError.Code) async throws {
    let service = ScriptedTelemetry([.fail(code), .fail(code, afterTaking: 1), .fail(code)])
    try await send(5, to: service)
    #expect(service.batches.map(\.number) == [1, 2, 3, 4, 5])
    #expect(karts(service) == [1, 2, 3, 4, 5])
  }

  @Test func anOutageIsToldOnce() async throws {
    let lines = Mutex<[String]>([])
    let failures = [ScriptedTelemetry.Turn](repeating: .fail(.unavailable), count: 200)
    var limits = Sender.Limits()
    limits.kept = 3
    try await send(
      5, to: ScriptedTelemetry(failures), limits: limits,
      log: Log("test", write: { line in lines.withLock { $0.append(line) } }))
    let told = lines.withLock { $0 }
    let expected = [
      "error test recording fails race=Race error=",
      "error test no more is kept until recording works again race=Race kept=3",
      "info test recording works again race=Race",
    ]
    #expect(told.count == expected.count, "\(told)")
    for (line, words) in zip(told, expected) { #expect(line.contains(words)) }
  }

  @Test func aFailureThatWillNotPassEndsIt() async throws {
    let service = ScriptedTelemetry([.fail(.invalidArgument)])
    let error = await #expect(throws: RPCError.self) { try await send(1, to: service) }
    #expect(error?.code == .invalidArgument)
    #expect(service.calls.count == 1)
  }

  @Test func anAnswerThatAcknowledgesNothingNewIsAskedForAgain() async throws {
    let service = ScriptedTelemetry([.answer(0), .answer(0)])
    try await send(1, to: service)
    #expect(service.calls == [[1], [1], [1]])
  }

  @Test func anotherFeedOfTheSameNameIsFoundOut() async throws {
    let service = ScriptedTelemetry([.answer(9)])
    await #expect(throws: Sender.ProducerInUse(producer: "test")) {
      try await send(1, to: service)
    }
  }

  @Test func aCallTakesSoManyBatchesAndSoManyAreKept() async throws {
    let service = ScriptedTelemetry()
    var limits = Sender.Limits()
    limits.perCall = 2
    limits.kept = 3
    try await send(20, to: service, limits: limits)
    #expect(service.calls.allSatisfy { (1...2).contains($0.count) })
    #expect(service.batches.map(\.number) == Array(1...20))
  }

  @Test(
    arguments: [
      [], [.fail(.unavailable, afterTaking: 1), .fail(.unavailable)],
    ] as [[ScriptedTelemetry.Turn]])
  func whatIsTooLargeForABatchComesInSeveral(turns: [ScriptedTelemetry.Turn]) async throws {
    let service = ScriptedTelemetry(turns)
    try await withClient(of: [service]) { client in
      var limits = Sender.Limits()
      limits.cut.observations = 4
      // Fewer than the ten come to.
      limits.keptBytes = 400
      limits.bytesPerCall = 480
      let sender = Sender(
        .init(wrapping: client), race: "Race", producer: "test", limits: limits, clock: clock,
        log: Log("test", write: { _ in }))
      try await clock.hurrying {
        try await sender.start(.continuing)
        async let run: Void = sender.run()
        for first in [1, 11] as [Int32] {
          try await sender.send(
            (first..<first + 10).map { kart in .with { $0.location.kartNumber = kart } })
        }
        await sender.finish()
        try await run
      }
    }
    #expect(service.batches.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(service.batches.map(\.observations.count) == [4, 4, 2, 4, 4, 2])
    #expect(
      service.batches.flatMap { $0.observations.map(\.location.kartNumber) } == Array(1...20))
    #expect(service.calls.allSatisfy { $0.count <= 2 })
  }

  @Test func theBeginningIsTriedAgainToo() async throws {
    let service = ScriptedTelemetry(durable: 3, progressFailures: [.unavailable, .unavailable])
    try await send(1, to: service)
    #expect(service.batches.map(\.number) == [4])
  }

  @Test func cancellationEndsAWaitForRoom() async throws {
    try await withClient(of: [ScriptedTelemetry()]) { client in
      var limits = Sender.Limits()
      limits.kept = 1
      let sender = Sender(
        .init(wrapping: client), race: "Race", producer: "test", limits: limits, clock: clock,
        log: Log("test", write: { _ in }))
      try await sender.start(.continuing)
      // Nothing takes the batches, so the second finds no room.
      try await sender.send([])
      let waiting = Task { try await sender.send([]) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }
}
