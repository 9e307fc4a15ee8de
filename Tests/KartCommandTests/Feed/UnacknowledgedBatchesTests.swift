import Testing

@testable import KartCommand

struct UnacknowledgedBatchesTests {
  @Test func numbersFromWhatIsOnDisk() {
    var batches = UnacknowledgedBatches<UInt64>(durable: 41, last: 41, capacity: 3)
    for _ in 0..<3 { batches.append { $0 } }
    #expect(batches.first(10) == [42, 43, 44])
    #expect(batches.first(2) == [42, 43])
    #expect(batches.isFull)
  }

  @Test func dropsWhatIsMadeAgain() {
    var batches = UnacknowledgedBatches<UInt64>(durable: 2, last: 0, capacity: 3)
    for _ in 0..<4 { batches.append { $0 } }
    #expect(batches.first(10) == [3, 4])
    #expect(batches.last == 4)
  }

  @Test func keepsWhatIsNotOnDisk() throws {
    var batches = UnacknowledgedBatches<UInt64>(durable: 0, last: 0, capacity: 3)
    for _ in 0..<3 { batches.append { $0 } }
    try batches.acknowledge(through: 2)
    #expect(batches.first(10) == [3])
    #expect(batches.durable == 2)
    try batches.acknowledge(through: 1)
    #expect(batches.first(10) == [3])
    batches.append { $0 }
    #expect(batches.first(10) == [3, 4])
  }

  @Test func holdsAndGivesSoManyBytes() throws {
    var batches = UnacknowledgedBatches<UInt64>(durable: 0, last: 0, capacity: 9, byteCapacity: 50)
    for size in [40, 20, 20] { batches.append(bytes: size) { $0 } }
    #expect(batches.isFull)
    #expect(batches.first(9, bytes: 10) == [1])
    #expect(batches.first(9, bytes: 60) == [1, 2])
    #expect(batches.first(1, bytes: 60) == [1])
    try batches.acknowledge(through: 1)
    #expect(!batches.isFull)
    batches.append(bytes: 10) { $0 }
    #expect(batches.isFull)
    #expect(batches.first(9, bytes: 40) == [2, 3])
  }

  @Test func refusesANumberItNeverGave() {
    var batches = UnacknowledgedBatches<UInt64>(durable: 5, last: 5, capacity: 3)
    batches.append { $0 }
    #expect(throws: UnacknowledgedBatches<UInt64>.Overtaken(durable: 7, last: 6)) {
      try batches.acknowledge(through: 7)
    }
  }

  @Test func refusesANumberAheadOfARepeatedRun() {
    var batches = UnacknowledgedBatches<UInt64>(durable: 5, last: 0, capacity: 3)
    batches.append { $0 }
    #expect(throws: UnacknowledgedBatches<UInt64>.Overtaken(durable: 6, last: 1)) {
      try batches.acknowledge(through: 6)
    }
  }
}
