import FoundationEssentials
import Glibc
import KartTesting
import Testing

@testable import KartCommand

struct StateFolderTests {
  /// A process that another test starts holds a copy of every descriptor, locks too, until it runs its program.
  private func forOtherTests() async -> Bool {
    await Task.yield()
    return true
  }

  @Test func makesTheLayoutAndClearsSockets() async throws {
    let temporary = TemporaryFolder()
    let path = temporary.file("a/b")
    let folder = try await StateFolder(claiming: path) { false }
    #expect(folder.path == path)
    for file in [folder.trackerSocket(1), folder.scheduleSocket, folder.scheduleDatabase] {
      #expect(FileManager.default.createFile(atPath: file, contents: nil))
    }
    folder.release()
    #expect(!FileManager.default.fileExists(atPath: folder.trackerSocket(1)))
    #expect(!FileManager.default.fileExists(atPath: folder.scheduleSocket))
    #expect(FileManager.default.fileExists(atPath: folder.scheduleDatabase))
  }

  @Test func clearsWhatAKilledRunLeft() async throws {
    let temporary = TemporaryFolder()
    let left = try await StateFolder(claiming: temporary.path) { false }
    #expect(FileManager.default.createFile(atPath: left.trackerSocket(7), contents: nil))
    // No living process has this number.
    ftruncate(left.lock, 0)
    pwrite(left.lock, "2147483646\n", 11, 0)
    close(left.lock)
    let folder = try await StateFolder(claiming: temporary.path, wait: forOtherTests)
    #expect(!FileManager.default.fileExists(atPath: folder.trackerSocket(7)))
    folder.release()
  }

  @Test func makesTheTrackersFolderAgain() async throws {
    let temporary = TemporaryFolder()
    let folder = try await StateFolder(claiming: temporary.path) { false }
    defer { folder.release() }
    folder.restoreTrackers()
    rmdir(folder.trackers)
    folder.restoreTrackers()
    var status = stat()
    #expect(stat(folder.trackers, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    rmdir(folder.trackers)
    rmdir("\(folder.path)/run")
    folder.restoreTrackers()
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/run"))
  }

  @Test func refusesAFolderInUse() async throws {
    let temporary = TemporaryFolder()
    let folder = try await StateFolder(claiming: temporary.path) { false }
    let error = await #expect(throws: StateFolder.Unusable.self) {
      try await StateFolder(claiming: temporary.path) {
        Issue.record("There is nothing to wait for: the owner lives")
        return false
      }
    }
    #expect(error?.description.contains("in use by process \(getpid())") == true)
    folder.release()
    try await StateFolder(claiming: temporary.path, wait: forOtherTests).release()
  }

  @Test func waitsForWhatAKilledRunStarted() async throws {
    let temporary = TemporaryFolder()
    let left = try await StateFolder(claiming: temporary.path) { false }
    // No living process has this number, so the lock is held by children alone.
    ftruncate(left.lock, 0)
    pwrite(left.lock, "2147483646\n", 11, 0)
    var waits = 0
    let folder = try await StateFolder(claiming: temporary.path) {
      waits += 1
      if waits == 2 { close(left.lock) }
      return await forOtherTests()
    }
    #expect(waits >= 2)
    await #expect(throws: StateFolder.Unusable.self) {
      ftruncate(folder.lock, 0)
      _ = try await StateFolder(claiming: temporary.path) { false }
    }
    folder.release()
  }

  @Test(arguments: ["/proc/nowhere", "/dev/null/x"])
  func refusesAFolderThatCannotBe(path: String) async {
    await #expect(throws: StateFolder.Unusable.self) {
      try await StateFolder(claiming: path) { false }
    }
  }

  @Test func refusesAPathTooLongForSockets() async throws {
    let path = TemporaryFolder().file(String(repeating: "x", count: 90))
    let error = await #expect(throws: StateFolder.Unusable.self) {
      try await StateFolder(claiming: path) { false }
    }
    #expect(error?.description.contains("--state") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
