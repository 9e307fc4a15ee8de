import Foundation
import MeshTesting
import Testing

/// The README's examples are those that the build compiles.
@Suite struct ReadmeTests {
  @Test(arguments: [
    ("protobuf", "greeter.proto"), ("swift", "greeter-server/main.swift"),
    ("swift", "greeter-client/main.swift"),
  ])
  func theReadmeShowsTheExample(language: String, file: String) throws {
    let readme = try String(contentsOfFile: "\(Installation.package)/README.md", encoding: .utf8)
    let example = try String(
      contentsOfFile: "\(Installation.package)/Examples/\(file)", encoding: .utf8)
    #expect(readme.contains("```\(language)\n\(example)```\n"), "README.md lacks Examples/\(file).")
    // One screen.
    #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 45)
  }
}
