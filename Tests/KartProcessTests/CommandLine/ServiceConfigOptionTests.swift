import Foundation
import GRPCCore
import KartTesting
import Testing

@testable import KartProcess

@Suite struct ServiceConfigOptionTests {
  private static let option = Option<ServiceConfig>.serviceConfig(
    "config", default: ServiceConfig(), help: "How.")

  private func parse(_ text: String) throws -> ServiceConfig {
    var command = Command(name: "t", summary: "")
    command.options = [Self.option]
    guard
      case .run(_, let arguments) = try command.parse(["--config", text], environment: [:])
    else { throw UsageError("the help was asked for") }
    return try arguments[Self.option]
  }

  @Test func isGivenAsItself() throws {
    let config = try parse(#"{"loadBalancingConfig": [{"round_robin": {}}]}"#)
    #expect(config == ServiceConfig(loadBalancingConfig: [.roundRobin]))
  }

  @Test func isReadFromAFile() throws {
    let folder = TemporaryFolder()
    let file = folder.file("config.json")
    try Data(#"{"healthCheckConfig": {"serviceName": "race"}}"#.utf8)
      .write(to: URL(filePath: file))
    #expect(try parse(file) == ServiceConfig(healthCheckServiceName: "race"))
  }

  @Test(
    arguments: [
      ("/nowhere/config.json", "/nowhere/config.json cannot be read"),
      ("{", "is none"),
      (#"{"loadBalancingConfig": [{"made_up": {}}]}"#, "made_up"),
      (#"{"methodConfig": 7}"#, "methodConfig is wrong"),
      (#"{"methodConfig": [{"name": [{}], "timeout": "soon"}]}"#, "“soon” is no duration"),
      (#"{"retryThrottling": {"maxTokens": 10}}"#, "lacks tokenRatio"),
    ])
  func whatIsWrongIsSaid(text: String, part: String) {
    let error = #expect(throws: UsageError.self) { try parse(text) }
    #expect("\(error as Any)".contains(part), "\(error as Any)")
  }
}
