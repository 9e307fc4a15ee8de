import GRPCCore
import GRPCServices
import Synchronization
import Testing

@testable import KartProcess

@Suite struct DependencyTests {
  private let service = ServiceDescriptor(fullyQualifiedService: "swiftkart.Test")
  private let provider = HealthService().provider

  /// What is logged of a dependency.
  private func lines(
    _ isThere: [Bool], _ prepare: (ServingHealth) -> Void = { _ in }
  ) async -> [String] {
    let lines = Mutex<[String]>([])
    let dependency = Dependency(
      "trackers", of: [service],
      isThere: AsyncStream { continuation in
        for isThere in isThere { continuation.yield(isThere) }
        continuation.finish()
      })
    let health = ServingHealth(provider, services: [service], dependencies: [dependency])
    prepare(health)
    await dependency.watch(
      health, log: Log("test", write: { line in lines.withLock { $0.append(line) } }))
    return lines.withLock { $0 }
  }

  @Test(arguments: [
    ([true], []),
    ([false, false], ["warning test upstream lost"]),
    (
      [true, false, false, true, true],
      ["warning test upstream lost", "info test upstream found"]
    ),
  ])
  func changesAreToldOnce(isThere: [Bool], lines expected: [String]) async {
    let told = await lines(isThere)
    #expect(told.count == expected.count)
    for (line, words) in zip(told, expected) {
      #expect(line.contains(words))
      #expect(line.hasSuffix(" upstream=trackers services=swiftkart.Test\n"))
    }
  }

  /// Where a whole mesh is ended, nobody is to look into it.
  @Test func nothingIsToldWhileTheProcessDrains() async {
    #expect(await lines([true, false]) { $0.drains() } == [])
  }
}
