import RaceRelay
import Testing

@Suite struct BoundedQueueTests {
  private struct Broken: Error {}

  @Test func allThereIsIsTakenAtOnceAndInOrder() async throws {
    let queue = BoundedQueue<Int>(capacity: 100)
    for number in 1...3 { try await queue.push(number, bytes: 1) }
    #expect(try await queue.take() == [1, 2, 3])
    try await queue.push(4, bytes: 1)
    await queue.finish()
    #expect(try await queue.take() == [4])
    #expect(try await queue.take() == nil)
  }

  @Test func whoPushesWaitsWhileItIsFull() async throws {
    let queue = BoundedQueue<Int>(capacity: 10)
    let pushed = Task {
      for number in 1...100 { try await queue.push(number, bytes: 4) }
      await queue.finish()
    }
    var taken: [Int] = []
    while let numbers = try await queue.take() {
      // Three of four bytes are more than ten, and the fourth waits.
      #expect(numbers.count <= 3)
      taken += numbers
    }
    try await pushed.value
    #expect(taken == Array(1...100))
  }

  @Test func whoTakesWaitsForSomething() async throws {
    let queue = BoundedQueue<Int>(capacity: 10)
    async let taken = queue.take()
    try await queue.push(1, bytes: 1)
    #expect(try await taken == [1])
  }

  @Test func aFailureEndsBothSides() async throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    try await queue.push(1, bytes: 1)
    let pushing = Task { try await queue.push(2, bytes: 1) }
    await queue.fail(Broken())
    await #expect(throws: Broken.self) { try await pushing.value }
    await #expect(throws: Broken.self) { _ = try await queue.take() }
  }
}
