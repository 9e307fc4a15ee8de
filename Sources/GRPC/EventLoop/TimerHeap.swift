/// Timers by deadline: a binary heap whose elements know their place, so that any can be removed.
///
/// Calls mostly have one timeout, so a new deadline is mostly the latest one and insertion does
/// not sift at all.
struct TimerHeap {
  private var timers: [ScheduledTimer] = []

  var first: ScheduledTimer? { timers.first }

  mutating func insert(_ timer: ScheduledTimer) {
    timers.append(timer)
    siftUp(timer, from: timers.count - 1)
  }

  mutating func remove(_ timer: ScheduledTimer) {
    guard let position = timer.position, let last = timers.popLast() else { return }
    timer.position = nil
    guard last !== timer else { return }
    siftDown(last, from: position)
    if last.position == position { siftUp(last, from: position) }
  }

  /// Takes the first timer if it is due.
  mutating func removeFirst(dueAt now: ContinuousClock.Instant) -> ScheduledTimer? {
    guard let first = timers.first, first.deadline <= now else { return nil }
    remove(first)
    return first
  }

  mutating func removeAll() {
    for timer in timers { timer.position = nil }
    timers.removeAll()
  }

  private mutating func siftUp(_ timer: ScheduledTimer, from start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard timer.deadline < timers[parent].deadline else { break }
      place(timers[parent], at: position)
      position = parent
    }
    place(timer, at: position)
  }

  private mutating func siftDown(_ timer: ScheduledTimer, from start: Int) {
    var position = start
    while true {
      var child = 2 * position + 1
      guard child < timers.count else { break }
      if child + 1 < timers.count, timers[child + 1].deadline < timers[child].deadline {
        child += 1
      }
      guard timers[child].deadline < timer.deadline else { break }
      place(timers[child], at: position)
      position = child
    }
    place(timer, at: position)
  }

  private mutating func place(_ timer: ScheduledTimer, at position: Int) {
    timers[position] = timer
    timer.position = position
  }
}
