import KartProcess
import Testing

@testable import KartCommand

@Suite struct HealthCommandTests {
  @Test(arguments: [
    ("unix:/run/kart/schedule.sock", "unix:/run/kart/schedule.sock"),
    ("unix-dir:/run/kart/trackers", "unix:/run/kart/trackers/c0ffee.sock"),
    ("ipv4:127.0.0.1:8080", "ipv4:127.0.0.1:8080"),
    ("dns:///gateway:8080", "dns:///gateway:8080"),
  ])
  func anAddressIsAskedWhereItsServiceListens(address: String, target: String) throws {
    #expect(try HealthCommand.target(address, host: "c0ffee") == target)
  }

  @Test func whatIsNoAddressIsAUsageError() {
    let error = #expect(throws: UsageError.self) { try HealthCommand.target("unix:") }
    #expect(error?.description.contains("ADDRESS") == true)
  }
}
