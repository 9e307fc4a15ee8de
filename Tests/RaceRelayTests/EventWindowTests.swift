import KartAPI
import RaceRelay
import Testing

@Suite struct EventWindowTests {
  private func event(_ sequence: UInt64, bytes: Int = 10) -> RelayedEvent {
    RelayedEvent(
      sequence: sequence, type: sequence.isMultiple(of: 3) ? .standings : .kartLocations,
      response: Array(repeating: UInt8(truncatingIfNeeded: sequence), count: bytes))
  }

  private func window(
    _ numbers: ClosedRange<UInt64>, events: Int = 100, bytes: Int = 1_000
  ) -> EventWindow {
    var window = EventWindow(limits: .init(events: events, bytes: bytes))
    window.begin(with: [], head: numbers.lowerBound - 1)
    for number in numbers { window.append(event(number)) }
    return window
  }

  @Test(
    arguments: [
      ([], 0, 1), ([5], 5, 5), ([3, 7], 7, 7), ([3, 6, 7, 8], 8, 6), ([1, 2, 3], 3, 1),
      ([2, 3, 5, 9], 9, 9),
    ] as [([UInt64], UInt64, UInt64)])
  func beginsWithASnapshotAndItsBacklog(numbers: [UInt64], head: UInt64, first: UInt64) {
    var window = window(40...50)
    window.begin(with: numbers.map { event($0) })
    #expect(window.head == head)
    #expect(window.first == first)
    let newest = Set(numbers.map { event($0).type }).map { type in
      numbers.last { event($0).type == type } ?? 0
    }
    #expect(Set(window.newest.values.map(\.sequence)) == Set(newest))
    let isNext = window.append(event(head + 1))
    #expect(isNext)
  }

  @Test func anEmptyWindowIsAtItsEnd() {
    let window = EventWindow(limits: .init(events: 4, bytes: 100))
    #expect(window.head == 0)
    #expect(window.first == 1)
    #expect(window.events(after: 0) == [])
    #expect(window.newest.isEmpty)
  }

  @Test func eventsComeAfterANumber() {
    let window = window(1...9)
    #expect(window.events(after: 0)?.map(\.sequence) == Array(1...9))
    #expect(window.events(after: 7)?.map(\.sequence) == [8, 9])
    #expect(window.events(after: 9)?.isEmpty == true)
    #expect(window.events(after: .max)?.isEmpty == true)
    #expect(window.reachesBack(to: .max))
    #expect(window.events(after: 2, limit: 25)?.map(\.sequence) == [3, 4, 5])
    #expect(window.events(after: 2, limit: 1)?.map(\.sequence) == [3])
  }

  @Test(arguments: [(events: 4, bytes: 1_000), (events: 1_000, bytes: 40)])
  func theOldestGoFirst(events: Int, bytes: Int) {
    let window = window(1...1_000, events: events, bytes: bytes)
    #expect(window.first == 997)
    #expect(window.events(after: 996)?.map(\.sequence) == [997, 998, 999, 1_000])
    #expect(window.events(after: 995) == nil)
    #expect(window.events(after: 0) == nil)
  }

  @Test func anEventLargerThanTheWindowIsNotHeld() {
    var window = window(1...3, bytes: 40)
    window.append(event(4, bytes: 50))
    #expect(window.events(after: 3) == nil)
    #expect(window.events(after: 4) == [])
    #expect(window.newest[.kartLocations]?.sequence == 4)
    window.append(event(5))
    #expect(window.events(after: 4)?.map(\.sequence) == [5])
  }

  @Test func onlyTheNextEventIsTaken() {
    var window = window(1...3)
    for number in [0, 2, 3, 5] as [UInt64] {
      let wasTaken = window.append(event(number))
      #expect(!wasTaken)
    }
    #expect(window.head == 3)
  }

  @Test func theNewestOfEachTypeIsKeptWhenItsEventHasGone() {
    var window = EventWindow(limits: .init(events: 2, bytes: 100))
    window.begin(with: [event(30), event(31)], head: 31)
    #expect(window.events(after: 31) == [])
    #expect(window.events(after: 30) == nil)
    for number in [32, 34, 35] as [UInt64] { window.append(event(number)) }
    #expect(window.head == 32)
    #expect(window.newest[.standings]?.sequence == 30)
    #expect(window.newest[.kartLocations]?.sequence == 32)
  }
}
