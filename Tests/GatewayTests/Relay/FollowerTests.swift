import KartAPI
import RaceRelay
import Testing

@testable import Gateway

@Suite struct FollowerTests {
  private let both: Set<RaceEventType> = [.kartLocations, .standings]

  /// A window of so many events: an odd number is a location, an even one standings.
  private func window(_ count: UInt64, limit: Int = 1000) -> EventWindow {
    var window = EventWindow(limits: .init(events: limit, bytes: .max))
    for number in 1...count {
      window.append(number.isMultiple(of: 2) ? .standings(number) : .locations(number))
    }
    return window
  }

  private func numbers(_ delivery: Follower.Delivery?) -> [UInt64]? {
    if case .events(let events)? = delivery { events.map(\.sequence) } else { nil }
  }

  @Test func newFollowerIsToldTheNewestOfEachTypeAndThenEverything() {
    var follower = Follower(types: both, resumeAfter: 0)
    var window = window(6)
    #expect(numbers(follower.take(from: window, isSlow: false)) == [5, 6])
    #expect(follower.take(from: window, isSlow: false) == nil)
    window.append(.locations(7))
    window.append(.locations(8))
    #expect(numbers(follower.take(from: window, isSlow: false)) == [7, 8])
  }

  @Test func typesThatAreNotWantedAreLeftOut() {
    var follower = Follower(types: [.standings], resumeAfter: 1)
    #expect(numbers(follower.take(from: window(6), isSlow: false)) == [2, 4, 6])
  }

  @Test func addedTypeBeginsWithItsNewestEvent() {
    var follower = Follower(types: [.kartLocations], resumeAfter: 0)
    let window = window(6)
    #expect(numbers(follower.take(from: window, isSlow: false)) == [5])
    follower.setTypes(both)
    #expect(numbers(follower.take(from: window, isSlow: false)) == [6])
    #expect(follower.take(from: window, isSlow: false) == nil)
  }

  @Test func whatTheWindowHasLetGoIsToBeCaughtUp() {
    var follower = Follower(types: both, resumeAfter: 2)
    #expect(follower.take(from: window(20, limit: 5), isSlow: false) == .catchUp(after: 2))
  }

  @Test func slowFollowerIsToldTheNewestStateUnlessItResumed() {
    var window = window(2)
    var slow = Follower(types: both, resumeAfter: 0)
    _ = slow.take(from: window, isSlow: false)
    var resumed = Follower(types: both, resumeAfter: 2)
    for number in 3...20 as ClosedRange<UInt64> { window.append(.locations(number)) }
    #expect(numbers(slow.take(from: window, isSlow: true)) == [20])
    #expect(numbers(resumed.take(from: window, isSlow: true)) == Array(3...20))
  }
}
