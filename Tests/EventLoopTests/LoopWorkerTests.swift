import Synchronization
import Testing

@testable import EventLoop

/// Work that is done in the tasks of workers, which go from one piece of work to the next.
@Suite struct LoopWorkerTests {
  @TaskLocal private static var bound = 0

  private final class Work: LoopWork {
    let body: @Sendable (LoopWorker) async -> Void

    init(_ body: @escaping @Sendable (LoopWorker) async -> Void) { self.body = body }

    func run(by worker: LoopWorker) async { await body(worker) }
  }

  /// Runs a closure on the loop.
  private func onLoop<Result: Sendable>(
    _ loop: EventLoop, _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { done in loop.execute { done.resume(returning: body()) } }
  }

  /// Something that work waits for.
  private final class Gate: Sendable {
    private let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)

    func wait() async {
      await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
    }

    /// Only after something waits.
    func open() { waiting.withLock { $0.take() }?.resume() }
  }

  @Test func workRunsInsideTheCallUpToWhereItWaits() async {
    await withLoop { loop in
      let gate = Gate()
      let steps = Mutex<[String]>([])
      let ended = await withCheckedContinuation { done in
        loop.execute {
          let worker = loop.run(
            Work { _ in
              steps.withLock { $0.append("begun") }
              await gate.wait()
              done.resume(returning: loop.inEventLoop)
            })
          steps.withLock { $0.append(worker == nil ? "ended" : "waits") }
          gate.open()
        }
      }
      #expect(ended)
      #expect(steps.withLock { $0 } == ["begun", "waits"])
    }
  }

  @Test func aWorkerGoesFromWorkToWork() async {
    await withLoop { loop in
      let workers = await onLoop(loop) {
        let workers = Mutex<[ObjectIdentifier]>([])
        for _ in 0..<3 {
          let working = loop.run(
            Work { worker in
              #expect(worker.isCurrentTask)
              workers.withLock { $0.append(ObjectIdentifier(worker)) }
            })
          #expect(working == nil)
          #expect(loop.idleWorkers.count == 1)
        }
        return workers.withLock { $0 }
      }
      #expect(workers.count == 3)
      #expect(Set(workers).count == 1)
    }
  }

  @Test func workThatWaitsKeepsItsWorker() async {
    await withLoop { loop in
      let gates = [Gate(), Gate()]
      let ended = await withCheckedContinuation { done in
        loop.execute {
          let count = Mutex(0)
          let workers = gates.map { gate in
            loop.run(
              Work { _ in
                await gate.wait()
                if count.withLock({ count in
                  count += 1; return count
                }) == gates.count {
                  done.resume(returning: true)
                }
              })
          }
          #expect(workers.allSatisfy { $0 != nil })
          #expect(workers[0] !== workers[1])
          #expect(loop.idleWorkers.isEmpty)
          for gate in gates { gate.open() }
        }
      }
      #expect(ended)
      #expect(await onLoop(loop) { loop.idleWorkers.count } == 2)
    }
  }

  @Test func aCancelledWorkerGetsNoMoreWork() async {
    await withLoop { loop in
      let gate = Gate()
      let wasCancelled = await withCheckedContinuation { done in
        loop.execute {
          let worker = loop.run(
            Work { _ in
              await gate.wait()
              done.resume(returning: Task.isCancelled)
            })
          worker?.cancel()
          gate.open()
        }
      }
      #expect(wasCancelled)
      let (idle, isCancelled) = await onLoop(loop) {
        let idle = loop.idleWorkers.count
        let isCancelled = Mutex(true)
        _ = loop.run(Work { _ in isCancelled.withLock { $0 = Task.isCancelled } })
        return (idle, isCancelled.withLock { $0 })
      }
      #expect(idle == 0)
      #expect(!isCancelled)
    }
  }

  @Test func aTaskThatCancelsItselfIsNotUsedAgain() async {
    await withLoop { loop in
      let idle = await onLoop(loop) {
        _ = loop.run(Work { _ in withUnsafeCurrentTask { $0?.cancel() } })
        return loop.idleWorkers.count
      }
      #expect(idle == 0)
    }
  }

  @Test func whatWorkBindsEndsWithIt() async {
    await withLoop { loop in
      let seen = await onLoop(loop) {
        let seen = Mutex<[Int]>([])
        for number in 1...2 {
          _ = loop.run(
            Work { _ in
              seen.withLock { $0.append(Self.bound) }
              Self.$bound.withValue(number) { seen.withLock { $0.append(Self.bound) } }
            })
        }
        return seen.withLock { $0 }
      }
      #expect(seen == [0, 1, 0, 2])
    }
  }

  @Test func aChildOfATaskIsNotThatTask() async {
    await withLoop { loop in
      let answers = await withCheckedContinuation { done in
        loop.execute {
          _ = loop.run(
            Work { worker in
              async let child = worker.isCurrentTask
              done.resume(returning: [worker.isCurrentTask, await child])
            })
        }
      }
      #expect(answers == [true, false])
    }
  }

  @Test func onlySoManyWorkersStayIdleAndNoneOutlivesTheLoop() async {
    weak var idle: LoopWorker?
    await withLoop { loop in
      let gates = (0..<300).map { _ in Gate() }
      await withCheckedContinuation { done in
        loop.execute {
          for gate in gates { _ = loop.run(Work { _ in await gate.wait() }) }
          for gate in gates { gate.open() }
          loop.execute { loop.execute { done.resume() } }
        }
      }
      let count = await onLoop(loop) { loop.idleWorkers.count }
      #expect(count == 256)
      idle = await onLoop(loop) { loop.idleWorkers.last }
      #expect(idle != nil)
    }
    #expect(idle == nil)
  }
}
