import KartAPI
import RaceControl
import Testing

@testable import TrackerService

@Suite struct BatchMessageTests {
  @Test(arguments: [nil, Duration.seconds(83) + .milliseconds(250)])
  func flagKeepsTheTimeFromWhichItIsShown(time: Duration?) throws {
    var observation = Swiftkart_Telemetry_V1_Observation()
    observation.observedAt.seconds = 1
    observation.flag.flag = .finish
    if let time { observation.flag.totalTime = .init(rounding: time) }
    let batch = try Batch(.with { $0.observations = [observation] })
    #expect(batch.observations.map(\.kind) == [.flag(.init(flag: .finish, totalTime: time))])
  }
}
