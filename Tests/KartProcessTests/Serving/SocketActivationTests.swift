import Testing

@testable import KartProcess

@Suite struct SocketActivationTests {
  @Test func theSocketsFollowTheStandardStreams() throws {
    let environment = ["LISTEN_PID": "42", "LISTEN_FDS": "2"]
    #expect(try SocketActivation.descriptors(environment: environment, process: 42) == [3, 4])
  }

  @Test(arguments: [
    [:], ["LISTEN_PID": "41", "LISTEN_FDS": "1"], ["LISTEN_PID": "42"], ["LISTEN_FDS": "1"],
    ["LISTEN_PID": "42", "LISTEN_FDS": "0"], ["LISTEN_PID": "42", "LISTEN_FDS": "many"],
  ])
  func withoutSocketsOfItsOwnItIsAUsageError(environment: [String: String]) {
    let error = #expect(throws: UsageError.self) {
      _ = try SocketActivation.descriptors(environment: environment, process: 42)
    }
    #expect(error?.description.contains("LISTEN_FDS") == true)
  }
}
