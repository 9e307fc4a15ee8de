import EventLoop
import GRPCCore
import KartTesting
import RaceRelay
import Testing

@testable import Gateway

@Suite struct RelayBranchTests {
  private let loop = EventLoopGroup.shared.next()

  private func window(_ numbers: ClosedRange<UInt64>) -> EventWindow {
    var window = EventWindow(limits: .init(events: 1000, bytes: .max))
    window.begin(with: numbers.map { .locations($0) })
    return window
  }

  /// The numbers that a follower is told, up to one.
  private func numbers(
    _ branch: RelayBranch, _ id: Int, until last: UInt64
  ) async throws -> [UInt64] {
    var numbers: [UInt64] = []
    while numbers.last ?? 0 < last {
      guard case .events(let events) = try await branch.next(id, isSlow: false) else { break }
      numbers += events.map(\.sequence)
    }
    return numbers
  }

  @Test func everyFollowerIsToldEveryEventOnceInOrder() async throws {
    let branch = RelayBranch(window: window(1...1), on: loop)
    let followers = await withTaskGroup(of: [UInt64]?.self) { group in
      var ids: [Int] = []
      for index in 0..<40 {
        ids.append(
          await branch.join(
            Follower(types: [.kartLocations], resumeAfter: index.isMultiple(of: 4) ? 1 : 0)))
      }
      for (index, id) in ids.enumerated() {
        // Half of the calls run on the branch's own loop, as a gateway's do, and half elsewhere.
        group.addTask(executorPreference: index.isMultiple(of: 2) ? loop : nil) {
          try? await numbers(branch, id, until: 200)
        }
      }
      for number in 2...200 as ClosedRange<UInt64> { branch.take([.locations(number)]) }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(followers.count == 40)
    for told in followers {
      let told = try #require(told)
      // Those that came without a number may have come late.
      #expect(told == Array((told.first ?? 0)...200))
    }
  }

  @Test func nothingIsToldBeforeTheRelayHasBegun() async throws {
    let branch = RelayBranch(window: nil, on: loop)
    let id = await branch.join(Follower(types: [.kartLocations], resumeAfter: 0))
    async let told = numbers(branch, id, until: 5)
    branch.begin(with: window(3...5))
    #expect(try await told == [5])
  }

  @Test(arguments: [true, false])
  func cancellationEndsAWait(onLoop: Bool) async throws {
    let branch = RelayBranch(window: nil, on: loop)
    let id = await branch.join(Follower(types: [.kartLocations], resumeAfter: 0))
    let waiting = Task(executorPreference: onLoop ? loop : nil) {
      try await withTaskCancellationHandler {
        try await branch.next(id, isSlow: false)
      } onCancel: {
        branch.nudge(id)
      }
    }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
  }

  @Test func theEndOfTheRelayEndsEveryCallAndThoseThatComeLate() async throws {
    let branch = RelayBranch(window: window(1...1), on: loop)
    let first = await branch.join(Follower(types: [], resumeAfter: 0))
    let waiting = Task { try await branch.next(first, isSlow: false) }
    branch.end(with: RPCError(code: .unavailable, message: "over"))
    let error = await #expect(throws: RPCError.self) { _ = try await waiting.value }
    #expect(error?.message == "over")
    let late = await branch.join(Follower(types: [], resumeAfter: 0))
    await #expect(throws: RPCError.self) { _ = try await branch.next(late, isSlow: false) }
  }

  @Test func whoResumesAheadOfTheRaceIsToldSo() async throws {
    let branch = RelayBranch(window: window(1...4), on: loop)
    let ahead = await branch.join(Follower(types: [.kartLocations], resumeAfter: 5))
    let level = await branch.join(Follower(types: [.kartLocations], resumeAfter: 4))
    await branch.endIfAhead(ahead)
    await branch.endIfAhead(level)
    let error = await #expect(throws: RPCError.self) {
      _ = try await branch.next(ahead, isSlow: false)
    }
    #expect(error?.code == .outOfRange)
    branch.take([.locations(5)])
    let told = try await numbers(branch, level, until: 5)
    #expect(told == [5])
  }

  @Test func whoseEventIsWaitedForNoMoreIsJudgedWhenTheRelayBegins() async throws {
    let branch = RelayBranch(window: nil, on: loop)
    let ahead = await branch.join(Follower(types: [.kartLocations], resumeAfter: 5))
    let waitedFor = await branch.join(Follower(types: [.kartLocations], resumeAfter: 5))
    await branch.endIfAhead(ahead)
    branch.begin(with: window(1...4))
    let error = await #expect(throws: RPCError.self) {
      _ = try await branch.next(ahead, isSlow: false)
    }
    #expect(error?.code == .outOfRange)
    branch.take([.locations(5), .locations(6)])
    #expect(try await numbers(branch, waitedFor, until: 6) == [6])
  }

  @Test func whoIsAheadOfARaceThatGoesBackIsToldSo() async throws {
    let branch = RelayBranch(window: window(1...4), on: loop)
    let ahead = await branch.join(Follower(types: [.kartLocations], resumeAfter: 0))
    #expect(try await numbers(branch, ahead, until: 4) == [4])
    branch.begin(with: window(1...2))
    let error = await #expect(throws: RPCError.self) {
      _ = try await branch.next(ahead, isSlow: false)
    }
    #expect(error?.code == .outOfRange)
  }

  @Test func aTypeThatIsAddedWhileCatchingUpBeginsOnce() async throws {
    var window = EventWindow(limits: .init(events: 1000, bytes: .max))
    window.begin(with: [.standings(8), .locations(9)])
    let branch = RelayBranch(window: window, on: loop)
    let id = await branch.join(Follower(types: [.kartLocations], resumeAfter: 6))
    #expect(try await branch.next(id, isSlow: false) == .catchUp(after: 6))
    await branch.setTypes([.kartLocations, .standings], of: id)
    let missed: [RelayedEvent] = [.locations(7), .standings(8)]
    #expect(await branch.wanted(missed, by: id) == missed)
    #expect(await !branch.caughtUp(id, to: 8))
    #expect(try await branch.next(id, isSlow: false) == .events([.locations(9)]))
  }

  @Test func oneThatLeavesIsToldNothingMore() async throws {
    let branch = RelayBranch(window: window(1...1), on: loop)
    let id = await branch.join(Follower(types: [], resumeAfter: 0))
    async let waiting = branch.next(id, isSlow: false)
    await branch.leave(id)
    #expect(try await waiting == .end)
  }
}
