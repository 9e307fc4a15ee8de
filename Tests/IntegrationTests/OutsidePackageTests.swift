import Foundation
import KartTesting
import MeshTesting
import Testing

/// Another team's package, which takes the runtime and the plugin and nothing else.
@Suite(.wholeMachine, .timeLimit(.minutes(30))) struct OutsidePackageTests {
  let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("Sources/Outside"), withIntermediateDirectories: true)
    // SwiftPM knows a package that is taken from a folder by the folder's name.
    let runtime = URL(filePath: Installation.package).lastPathComponent
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "outside", dependencies: [.package(path: "\(Installation.package)")],
        targets: [
          .executableTarget(
            name: "Outside",
            dependencies: [.product(name: "GRPCProtobuf", package: "\(runtime)")],
            plugins: [.plugin(name: "GRPCProtobufGenerator", package: "\(runtime)")])
        ])
      """
    let main = """
      let kart = Kart.with { $0.driver.name = "Bo" }
      print(try kart.jsonString(), kart.number, Garage.Method.Park.descriptor.fullyQualifiedMethod)
      """
    let garage = """
      edition = "2024";
      import "driver.proto";
      service Garage { rpc Park(Kart) returns (Kart); }
      message Kart { Driver driver = 1; int32 number = 2 [default = 7]; }
      """
    try write(manifest, to: "Package.swift")
    try write("{}", to: "Sources/Outside/grpc-swift-proto-generator-config.json")
    try write(main, to: "Sources/Outside/main.swift")
    try write(garage, to: "Sources/Outside/garage.proto")
    try write(
      "edition = \"2024\"; message Driver { string name = 1; }", to: "Sources/Outside/driver.proto")
  }

  @Test func generatesAndFollowsItsImports() async throws {
    try await expect(output: #"{"driver":{"name":"Bo"}} 7 Garage/Park"#)
    // A file that is only imported changes, and what imports it is generated again.
    try write(
      "edition = \"2024\"; message Driver { string name = 1 [json_name = \"nick\"]; }",
      to: "Sources/Outside/driver.proto")
    let build = try await expect(output: #"{"driver":{"nick":"Bo"}} 7 Garage/Park"#)
    for file in ["driver.pb.swift", "garage.pb.swift", "garage.grpc.swift"] {
      #expect(build.output.lines.contains { $0.contains("Generating \(file)") })
    }
  }

  @discardableResult
  private func expect(output: String) async throws -> RunningProcess {
    // Where its own build would look for protoc, this package's bootstrap has not put one.
    let protoc = "\(Installation.package)/.build/protoc/bin/protoc"
    let isBootstrapped = FileManager.default.isExecutableFile(atPath: protoc)
    let swift = try RunningProcess(
      "/usr/bin/env", ["swift", "build", "--package-path", folder.path],
      environment: isBootstrapped ? ["PROTOC_PATH": protoc] : [:])
    #expect(try await swift.exit == .status(0), "\(swift.transcript)")
    let outside = try RunningProcess(folder.file(".build/debug/Outside"), [])
    #expect(try await outside.exit == .status(0))
    #expect(outside.output.lines == [output])
    return swift
  }

  private func write(_ text: String, to path: String) throws {
    try Data((text + "\n").utf8).write(to: URL(filePath: folder.file(path)))
  }
}
