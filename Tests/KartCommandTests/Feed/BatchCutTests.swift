import KartAPI
import Testing

@testable import KartCommand

struct BatchCutTests {
  private static func competitor(_ kart: Int32, name: Int) -> BatchCut.Observation {
    .with {
      $0.competitor.kartNumber = kart
      $0.competitor.name = String(repeating: "x", count: name)
    }
  }

  @Test(arguments: [(0, [0]), (9_999, [9_999]), (10_000, [10_000]), (20_001, [10_000, 10_000, 1])])
  func aBatchHasSoManyObservations(count: Int, parts: [Int]) throws {
    let observation = BatchCut.Observation.with { $0.crossing.lap = 1 }
    let cut = try BatchCut().parts(of: Array(repeating: observation, count: count))
    #expect(cut.map(\.observations.count) == parts)
  }

  @Test func aBatchHasSoManyBytes() throws {
    let all = (0..<9_000).map { Self.competitor($0, name: 600) }
    let parts = try BatchCut().parts(of: all)
    #expect(parts.count > 4)
    #expect(parts.flatMap { $0.observations } == all)
    for part in parts {
      let request = Swiftkart_Telemetry_V1_RecordRequest.with {
        $0.observations = Array(part.observations)
      }
      let bytes: [UInt8] = try request.serializedBytes()
      #expect(bytes.count <= part.bytes)
      #expect(part.bytes <= 1 << 20)
    }
  }

  @Test(
    arguments: [
      .with {
        $0.crossing.kartNumber = -1
        $0.crossing.lap = -1
        $0.crossing.totalTime.seconds = -1
        $0.crossing.totalTime.nanos = -1
      },
      .with {
        $0.location.kartNumber = -1
        $0.location.latitude = -1
        $0.location.longitude = -1
      },
      .with {
        $0.competitor.kartNumber = -1
        $0.competitor.name = "x"
        $0.competitor.registration = "y"
      },
    ] as [BatchCut.Observation])
  func noObservationIsLargerThanItCounts(observation: BatchCut.Observation) throws {
    let largest = Swiftkart_Telemetry_V1_RecordRequest.with {
      $0.observations = [observation]
      $0.observations[0].observedAt.seconds = -1
      $0.observations[0].observedAt.nanos = -1
    }
    let bytes: [UInt8] = try largest.serializedBytes()
    #expect(try BatchCut().parts(of: largest.observations)[0].bytes >= bytes.count)
  }

  @Test func whatNoBatchCanHoldIsNamed() throws {
    let error = #expect(throws: BatchCut.Oversized.self) {
      try BatchCut().parts(of: [Self.competitor(7, name: 2 << 20)])
    }
    #expect(error?.description.hasPrefix("the competitor of kart 7 has 2097232 bytes") == true)
  }
}
