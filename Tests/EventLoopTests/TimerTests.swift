import Synchronization
import Testing

@testable import EventLoop

@Suite struct TimerTests {
  @Test func timersFireInTheOrderOfTheirDeadlines() async {
    await withLoop { loop in
      let now = ContinuousClock.now
      let fired = await withCheckedContinuation { done in
        loop.execute {
          let fired = Mutex<[Int]>([])
          for offset in [3, 1, 5, 2, 4] {
            loop.schedule(at: now - .seconds(10 - offset)) {
              let all = fired.withLock { fired in
                fired.append(offset)
                return fired
              }
              if all.count == 5 { done.resume(returning: all) }
            }
          }
        }
      }
      #expect(fired == [1, 2, 3, 4, 5])
    }
  }

  @Test func aTimerWakesASleepingLoop() async {
    await withLoop { loop in
      let deadline = ContinuousClock.now + .milliseconds(2)
      await withCheckedContinuation { done in
        loop.schedule(at: deadline) { done.resume() }
      }
      #expect(ContinuousClock.now >= deadline)
    }
  }

  @Test func aCancelledTimerDoesNotFire() async {
    await withLoop { loop in
      let fired = Atomic<Bool>(false)
      await withCheckedContinuation { done in
        loop.execute {
          let due = loop.schedule(after: .zero) { fired.store(true, ordering: .relaxed) }
          loop.schedule(after: .milliseconds(1)) { done.resume() }
          due.cancel()
        }
      }
      let hasFired = fired.load(ordering: .relaxed)
      #expect(!hasFired)
    }
  }

  @Test func aTimerCanBeCancelledFromAnotherThread() async {
    await withLoop { loop in
      loop.schedule(after: .seconds(3600)) {}.cancel()
      let isEmpty = await withCheckedContinuation { done in
        loop.execute { done.resume(returning: loop.timers.first == nil) }
      }
      #expect(isEmpty)
    }
  }

  @Test func theHeapStaysInOrderUnderRandomInsertionsAndRemovals() async {
    await withLoop { loop in
      var generator = SystemRandomNumberGenerator()
      let start = ContinuousClock.now
      var heap = TimerHeap()
      var live: [ScheduledTimer] = []
      for _ in 0..<2000 {
        if !live.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
          let index = live.indices.randomElement(using: &generator) ?? 0
          heap.remove(live.remove(at: index))
        } else {
          let delay = Duration.milliseconds(Int.random(in: 0..<500, using: &generator))
          let timer = ScheduledTimer(deadline: start + delay, loop: loop) {}
          heap.insert(timer)
          live.append(timer)
        }
      }
      var drained: [ContinuousClock.Instant] = []
      while let timer = heap.removeFirst(dueAt: start + .seconds(1)) {
        #expect(timer.position == nil)
        drained.append(timer.deadline)
      }
      #expect(drained == live.map(\.deadline).sorted())
    }
  }
}
