import Synchronization
import Testing

@testable import EventLoop

@Suite struct EventLoopTests {
  @Test func tasksAndWhatTheyCallStayOnTheLoop() async {
    await withLoop { loop in
      @Sendable func nonisolatedWork() async -> Bool { loop.inEventLoop }
      let places = await Task(executorPreference: loop) {
        var places = [loop.inEventLoop]
        places.append(await nonisolatedWork())
        await Task.yield()
        places.append(loop.inEventLoop)
        async let child = nonisolatedWork()
        places.append(await child)
        return places
      }.value
      #expect(places == [true, true, true, true])
      #expect(!loop.inEventLoop)
    }
  }

  @Test func nonisolatedCallsOfATaskDoNotGoThroughTheQueue() async {
    await withLoop { loop in
      @Sendable func nonisolatedWork() async -> Int { loop.local.count }
      let queued = await Task(executorPreference: loop) {
        loop.execute {}
        return await nonisolatedWork()
      }.value
      // Had the call been a hop, the block would have run before it.
      #expect(queued == 1)
    }
  }

  private actor Pinned {
    let loop: EventLoop
    var entries: [String] = []
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
      self.loop = loop
    }

    func enter(_ from: String) -> Bool {
      entries.append(from)
      return loop.inEventLoop
    }
  }

  @Test func pinnedActorsRunOnTheLoopAndAreEnteredSynchronously() async {
    await withLoop { loop in
      let actor = Pinned(loop: loop)
      #expect(await actor.enter("outside"))
      #expect(await Task(executorPreference: loop) { await actor.enter("loop") }.value)
      await withCheckedContinuation { done in
        loop.execute {
          actor.assumeIsolated { $0.entries.append("callback") }
          done.resume()
        }
      }
      #expect(await actor.entries == ["outside", "loop", "callback"])
    }
  }

  @Test func blocksRunInOrderAndNeverInsideTheCall() async {
    await withLoop { loop in
      let order = await withCheckedContinuation { done in
        loop.execute {
          let order = Mutex<[Int]>([])
          loop.execute { order.withLock { $0.append(1) } }
          loop.execute {
            order.withLock { $0.append(2) }
            done.resume(returning: order.withLock { $0 })
          }
          order.withLock { $0.append(0) }
        }
      }
      #expect(order == [0, 1, 2])
    }
  }

  private final class Sum: Sendable {
    let value = Atomic<Int>(0)
  }

  @Test func everythingSentFromManyThreadsArrives() async {
    await withLoop { loop in
      let sum = Sum()
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for number in 1...1000 {
              await Task(executorPreference: loop) {
                _ = sum.value.wrappingAdd(number, ordering: .relaxed)
              }.value
            }
          }
        }
      }
      let total = sum.value.load(ordering: .relaxed)
      #expect(total == 8 * 500_500)
    }
  }

  private final class Recorder: EndOfTickHandler, Sendable {
    let record: @Sendable () -> Void
    init(_ record: @escaping @Sendable () -> Void) { self.record = record }
    func tickDidEnd() { record() }
  }

  @Test func endOfTickComesAfterTheTicksJobsAndOnce() async {
    await withLoop { loop in
      let order = await withCheckedContinuation { done in
        loop.execute {
          let order = Mutex<[String]>([])
          loop.atEndOfTick(
            Recorder {
              order.withLock { $0.append("end") }
              loop.execute { done.resume(returning: order.withLock { $0 }) }
            })
          loop.execute {
            order.withLock { $0.append("job") }
            loop.execute { order.withLock { $0.append("job of a job") } }
          }
        }
      }
      #expect(order == ["job", "job of a job", "end"])
    }
  }

  @Test func aTickCanEndBeforeItsNextJob() async {
    await withLoop { loop in
      let order = await withCheckedContinuation { done in
        loop.execute {
          let order = Mutex<[String]>([])
          let recorder = Recorder { order.withLock { $0.append("end") } }
          for number in 1...4 {
            loop.execute {
              order.withLock { $0.append("job \(number)") }
              loop.atEndOfTick(recorder)
              if number == 2 { loop.endTickEarly() }
              if number == 4 {
                loop.atEndOfTick(Recorder { done.resume(returning: order.withLock { $0 }) })
              }
            }
          }
        }
      }
      #expect(order == ["job 1", "job 2", "end", "end", "job 3", "job 4", "end", "end"])
    }
  }

  @Test func aJobThatAlwaysEnqueuesAnotherDoesNotStarveTheTick() async {
    await withLoop { loop in
      let stop = Atomic<Bool>(false)
      @Sendable func spin() {
        if !stop.load(ordering: .relaxed) { loop.execute(spin) }
      }
      loop.execute(spin)
      await withCheckedContinuation { done in
        loop.execute { loop.atEndOfTick(Recorder { done.resume() }) }
      }
      stop.store(true, ordering: .relaxed)
    }
  }

  @Test func jobsThatComeAfterTheShutdownStillRunOneAtATime() async {
    let loop = EventLoop(name: "late")
    let actor = Pinned(loop: loop)
    await loop.shutdown()
    await loop.shutdown()
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask { _ = await actor.enter("\(number)") }
      }
    }
    #expect(await actor.entries.count == 100)
  }

  @Test func aLoopCanBeShutDownFromItsOwnTask() async {
    let loop = EventLoop(name: "own")
    await Task(executorPreference: loop) { await loop.shutdown() }.value
  }

  @Test func groupsHandOutTheirLoopsInTurn() async {
    let group = EventLoopGroup(count: 3)
    let names = (0..<6).map { _ in group.next().name }
    #expect(names == ["loop-0", "loop-1", "loop-2", "loop-0", "loop-1", "loop-2"])
    await group.shutdown()
  }
}

/// Runs `body` with a loop that is shut down afterwards.
func withLoop(_ body: (EventLoop) async throws -> Void) async rethrows {
  let loop = EventLoop(name: "test")
  do {
    try await body(loop)
  } catch {
    await loop.shutdown()
    throw error
  }
  await loop.shutdown()
}
