// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// A library or executable target of one of the houses under `Sources/`.
func target(
  _ name: String, in house: String, _ dependencies: [Target.Dependency] = [],
  exclude: [String] = [], swiftSettings: [SwiftSetting] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(house)/\(name)", exclude: exclude,
    swiftSettings: settings + swiftSettings, plugins: plugins)
}

func executable(
  _ name: String, in house: String, _ dependencies: [Target.Dependency]
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/\(house)/\(name)",
    swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude,
    swiftSettings: settings, plugins: plugins)
}

func cLibrary(_ name: String, pkgConfig: String? = nil, apt: [String] = []) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
    providers: apt.isEmpty ? nil : [.apt(apt)])
}

let cLibraries: [Target] = [
  cLibrary("CLinux"),
  cLibrary("CNghttp2", pkgConfig: "libnghttp2", apt: ["libnghttp2-dev"]),
  cLibrary("COpenSSL", pkgConfig: "openssl", apt: ["libssl-dev"]),
  cLibrary("CSQLite", pkgConfig: "sqlite3", apt: ["libsqlite3-dev"]),
  cLibrary("CZlib", pkgConfig: "zlib", apt: ["zlib1g-dev"]),
]

let protobuf: [Target] = [
  target(
    "SwiftProtobuf", in: "Protobuf",
    // Types that hold spans say how long they live.
    swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
  target("SwiftProtobufGenerator", in: "Protobuf", ["SwiftProtobuf"]),
  executable("protoc-gen-swift", in: "Protobuf", ["SwiftProtobufGenerator"]),
  executable("protoc-gen-grpc-swift-2", in: "Protobuf", ["SwiftProtobufGenerator"]),
  .plugin(
    name: "GRPCProtobufGenerator", capability: .buildTool(),
    dependencies: ["protoc-gen-swift", "protoc-gen-grpc-swift-2"]),
  .plugin(
    name: "GRPCProtobufGeneratorCommand",
    capability: .command(
      intent: .custom(
        verb: "generate-grpc-code-from-protos",
        description: "Generates Swift from .proto files into the package's sources"),
      permissions: [
        .writeToPackageDirectory(reason: "The generated Swift becomes part of the sources.")
      ]),
    dependencies: ["protoc-gen-swift", "protoc-gen-grpc-swift-2"]),
]

let grpc: [Target] = [
  target("EventLoop", in: "GRPC", ["CLinux"]),
  target("GRPCCore", in: "GRPC"),
  target("GRPCProtobuf", in: "GRPC", ["GRPCCore", "SwiftProtobuf"]),
  target(
    "GRPCHTTP2Transport", in: "GRPC",
    ["GRPCCore", "EventLoop", "CLinux", "CNghttp2", "COpenSSL", "CZlib"]),
  target("GRPCInProcessTransport", in: "GRPC", ["GRPCCore"]),
  target("GRPCServices", in: "GRPC", ["GRPCCore", "GRPCProtobuf", "SwiftProtobuf"]),
  target(
    "GRPCInterop", in: "GRPC", ["GRPCCore", "GRPCProtobuf", "SwiftProtobuf"],
    plugins: ["GRPCProtobufGenerator"]),
]

let kart: [Target] = [
  target(
    "KartAPI", in: "Kart", ["GRPCCore", "GRPCProtobuf", "SwiftProtobuf"],
    plugins: ["GRPCProtobufGenerator"]),
  target("SQLite", in: "Kart", ["CSQLite", "GRPCCore"]),
  target("RaceControl", in: "Kart"),
  target("RaceRelay", in: "Kart", ["KartAPI"]),
  target("RaceFeeds", in: "Kart", ["RaceControl"]),
  target(
    "KartProcess", in: "Kart",
    ["CLinux", "EventLoop", "SwiftProtobuf", "GRPCCore", "GRPCHTTP2Transport", "GRPCServices"]),
  target(
    "ScheduleService", in: "Kart",
    ["KartAPI", "SQLite", "EventLoop", "GRPCCore", "GRPCProtobuf", "KartProcess"]),
  target(
    "TrackerService", in: "Kart",
    [
      "KartAPI", "RaceControl", "RaceRelay", "SQLite", "EventLoop", "GRPCCore", "GRPCProtobuf",
      "KartProcess",
    ]),
  target(
    "Gateway", in: "Kart",
    [
      "KartAPI", "RaceRelay", "EventLoop", "SwiftProtobuf", "GRPCCore", "GRPCHTTP2Transport",
      "GRPCProtobuf", "KartProcess",
    ]),
  target(
    "KartCommand", in: "Kart",
    [
      "KartAPI", "RaceControl", "RaceFeeds", "GRPCCore", "GRPCHTTP2Transport", "EventLoop",
      "CLinux", "SwiftProtobuf", "KartProcess", "GRPCServices",
    ]),
]

let executables: [Target] = [
  executable(
    "schedule-service", in: "Executables",
    ["ScheduleService", "KartAPI", "KartProcess", "EventLoop"]),
  executable(
    "tracker-service", in: "Executables",
    ["TrackerService", "KartAPI", "KartProcess", "EventLoop"]),
  executable(
    "gateway", in: "Executables",
    ["Gateway", "KartAPI", "KartProcess", "GRPCCore", "GRPCHTTP2Transport"]),
  executable("kart", in: "Executables", ["KartCommand", "KartProcess"]),
  executable(
    "interop-server", in: "Executables",
    [
      "GRPCInterop", "GRPCCore", "GRPCHTTP2Transport", "GRPCServices", "EventLoop", "KartProcess",
    ]),
  executable(
    "interop-client", in: "Executables",
    ["GRPCInterop", "GRPCCore", "GRPCHTTP2Transport", "KartProcess"]),
]

let benchmarks: [Target] = [
  .executableTarget(
    name: "echo-benchmark", dependencies: ["GRPCCore", "GRPCHTTP2Transport", "EventLoop"],
    path: "Benchmarks/echo-benchmark", swiftSettings: settings),
  .executableTarget(
    name: "protobuf-benchmark", dependencies: ["SwiftProtobuf"],
    path: "Benchmarks/protobuf-benchmark", swiftSettings: settings,
    plugins: ["GRPCProtobufGenerator"]),
]

/// What the README shows: a service and a client of the runtime.
let examples: [Target] = ["greeter-server", "greeter-client"].map { name in
  .executableTarget(
    name: name,
    dependencies: [
      "GRPCCore", "GRPCProtobuf", "GRPCHTTP2Transport", "GRPCServices", "SwiftProtobuf",
    ], path: "Examples/\(name)", swiftSettings: settings, plugins: ["GRPCProtobufGenerator"])
}

let testTargets: [Target] = [
  .executableTarget(
    name: "conformance-testee", dependencies: ["SwiftProtobuf", "ProtobufTestMessages"],
    path: "Tests/conformance-testee",
    swiftSettings: settings, plugins: ["GRPCProtobufGenerator"]),
  .executableTarget(
    name: "soak", dependencies: ["GRPCCore", "GRPCHTTP2Transport", "EventLoop"],
    path: "Tests/soak", swiftSettings: settings),
  .target(name: "KartTesting", path: "Tests/KartTesting", swiftSettings: settings),
  .target(
    name: "MeshTesting", dependencies: ["CLinux", "KartTesting"], path: "Tests/MeshTesting",
    swiftSettings: settings),
  .target(
    name: "ProtobufTestMessages", dependencies: ["SwiftProtobuf"],
    path: "Tests/ProtobufTestMessages",
    swiftSettings: settings, plugins: ["GRPCProtobufGenerator"]),
  tests("ProtobufDifferentialTests", ["MeshTesting"], exclude: ["differential"]),
  tests("SwiftProtobufTests", ["SwiftProtobuf", "ProtobufTestMessages"]),
  tests(
    "SwiftProtobufGeneratorTests", ["SwiftProtobufGenerator", "ProtobufTestMessages"],
    exclude: ["Goldens"]),
  tests("GRPCProtobufGeneratorTests", []),
  tests("EventLoopTests", ["EventLoop", "CLinux"]),
  tests("GRPCCoreTests", ["GRPCCore", "GRPCInProcessTransport", "KartTesting"]),
  tests("GRPCInProcessTransportTests", ["GRPCInProcessTransport", "GRPCCore", "KartTesting"]),
  tests(
    "GRPCProtobufTests", ["GRPCProtobuf", "GRPCCore", "GRPCInProcessTransport", "SwiftProtobuf"]),
  tests(
    "GRPCHTTP2TransportTests",
    [
      "GRPCHTTP2Transport", "GRPCCore", "EventLoop", "CLinux", "CNghttp2", "COpenSSL",
      "KartTesting",
      "MeshTesting",
    ], exclude: ["TLS/tls_peer.py"]),
  tests(
    "GRPCServicesTests",
    ["GRPCServices", "GRPCCore", "SwiftProtobuf", "GRPCInProcessTransport"]),
  tests("RaceControlTests", ["RaceControl", "KartTesting"]),
  tests("RaceFeedsTests", ["RaceFeeds", "RaceControl"]),
  tests("RaceRelayTests", ["RaceRelay", "KartAPI"]),
  tests("SQLiteTests", ["SQLite", "KartTesting"]),
  tests(
    "KartProcessTests",
    [
      "KartProcess", "EventLoop", "GRPCCore", "GRPCServices", "GRPCInProcessTransport",
      "KartTesting",
    ]),
  tests(
    "ScheduleServiceTests",
    ["ScheduleService", "KartProcess", "EventLoop", "GRPCInProcessTransport", "KartTesting"]),
  tests(
    "TrackerServiceTests",
    [
      "TrackerService", "KartAPI", "KartProcess", "RaceRelay", "EventLoop",
      "GRPCInProcessTransport", "KartTesting",
    ]),
  tests(
    "GatewayTests",
    [
      "Gateway", "KartAPI", "KartProcess", "RaceRelay", "EventLoop", "GRPCCore",
      "GRPCHTTP2Transport", "GRPCInProcessTransport", "KartTesting",
    ]),
  tests(
    "KartCommandTests",
    [
      "KartCommand", "KartAPI", "KartProcess", "RaceControl", "RaceFeeds", "ScheduleService",
      "EventLoop", "GRPCCore", "GRPCInProcessTransport", "KartTesting",
    ]),
  tests(
    "IntegrationTests",
    ["KartAPI", "GRPCHTTP2Transport", "GRPCServices", "KartTesting", "MeshTesting"],
    exclude: ["Contract"]),
  tests(
    "InteropTests",
    [
      "GRPCInterop", "GRPCCore", "GRPCHTTP2Transport", "GRPCProtobuf", "SwiftProtobuf",
      "KartTesting", "MeshTesting",
    ],
    exclude: ["Cpp", "Python"]),
  tests("ExamplesTests", ["MeshTesting"]),
  tests("SoakTests", ["MeshTesting"]),
  tests(
    "ChaosTests", ["KartAPI", "GRPCHTTP2Transport", "GRPCServices", "KartTesting", "MeshTesting"]),
]

let package = Package(
  name: "swiftkart",
  products: [
    .library(name: "SwiftProtobuf", targets: ["SwiftProtobuf"]),
    .library(name: "EventLoop", targets: ["EventLoop"]),
    .library(name: "GRPCCore", targets: ["GRPCCore"]),
    .library(name: "GRPCProtobuf", targets: ["GRPCProtobuf"]),
    .library(name: "GRPCHTTP2Transport", targets: ["GRPCHTTP2Transport"]),
    .library(name: "GRPCInProcessTransport", targets: ["GRPCInProcessTransport"]),
    .library(name: "GRPCServices", targets: ["GRPCServices"]),
    .plugin(name: "GRPCProtobufGenerator", targets: ["GRPCProtobufGenerator"]),
    .plugin(name: "GRPCProtobufGeneratorCommand", targets: ["GRPCProtobufGeneratorCommand"]),
    .executable(name: "protoc-gen-swift", targets: ["protoc-gen-swift"]),
    .executable(name: "protoc-gen-grpc-swift-2", targets: ["protoc-gen-grpc-swift-2"]),
    .executable(name: "schedule-service", targets: ["schedule-service"]),
    .executable(name: "tracker-service", targets: ["tracker-service"]),
    .executable(name: "gateway", targets: ["gateway"]),
    .executable(name: "kart", targets: ["kart"]),
  ],
  targets: cLibraries + protobuf + grpc + kart + executables + examples + benchmarks
    + testTargets,
  swiftLanguageModes: [.v6]
)
