import GRPCCore
import Synchronization
import Testing

@testable import KartProcess

@Suite struct DependencyTests {
  @Test(arguments: [
    ([true], []),
    ([false, false], ["warning test upstream lost"]),
    (
      [true, false, false, true, true],
      ["warning test upstream lost", "info test upstream found"]
    ),
  ])
  func changesAreToldOnce(isThere: [Bool], lines expected: [String]) async {
    let lines = Mutex<[String]>([])
    let dependency = Dependency(
      "trackers", of: [ServiceDescriptor(fullyQualifiedService: "swiftkart.Test")],
      isThere: AsyncStream { continuation in
        for isThere in isThere { continuation.yield(isThere) }
        continuation.finish()
      })
    var changes: [Bool] = []
    await dependency.watch(log: Log("test", write: { line in lines.withLock { $0.append(line) } }))
    { changes.append($0) }
    let told = lines.withLock { $0 }
    #expect(told.count == expected.count)
    for (line, words) in zip(told, expected) {
      #expect(line.contains(words))
      #expect(line.hasSuffix(" upstream=trackers services=swiftkart.Test\n"))
    }
    #expect(changes.first == isThere.first && changes.last == isThere.last)
    #expect(zip(changes, changes.dropFirst()).allSatisfy(!=))
  }
}
