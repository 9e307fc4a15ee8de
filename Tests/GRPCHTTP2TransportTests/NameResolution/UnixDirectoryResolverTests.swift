import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct UnixDirectoryResolverTests {
  private typealias Names = RPCAsyncSequence<NameResolutionResult, any Error>.AsyncIterator

  private let parent = TemporaryFolder()
  private var folder: String { "\(parent.path)/trackers" }

  /// A rescan interval so long that only inotify can have told.
  private func names(rescanInterval: Duration = .seconds(3600)) -> Names {
    NameResolvers.UnixDirectory(
      eventLoop: EventLoopGroup.shared.next(), rescanInterval: rescanInterval
    )
    .resolver(for: .unixDirectory(path: folder)).names.makeAsyncIterator()
  }

  /// Takes results until the sockets have these names; a test that never gets there hangs and is stopped by
  /// its time limit.
  private func expect(_ sockets: [String], from names: inout Names) async throws -> [Endpoint] {
    while let result = try await names.next() {
      let paths = result.endpoints.map { $0.addresses[0].unixDomainSocket?.path }
      if paths == sockets.map({ "\(folder)/\($0)" }) { return result.endpoints }
    }
    throw RPCError(code: .internalError, message: "The resolver ended.")
  }

  @Test(.timeLimit(.minutes(1))) func replicasJoinAndLeave() async throws {
    mkdir(folder, 0o700)
    var names = names()
    _ = try await expect([], from: &names)
    TemporaryFolder.makeSocket("\(folder)/b.sock")
    _ = try await expect(["b.sock"], from: &names)
    TemporaryFolder.makeSocket("\(folder)/a.sock")
    _ = try await expect(["a.sock", "b.sock"], from: &names)
    unlink("\(folder)/b.sock")
    _ = try await expect(["a.sock"], from: &names)
  }

  @Test(.timeLimit(.minutes(1))) func onlySocketsWithTheirFinalNamesCount() async throws {
    mkdir(folder, 0o700)
    TemporaryFolder.makeSocket("\(folder)/.a.sock")
    TemporaryFolder.makeSocket("\(folder)/a.sock.tmp")
    close(creat("\(folder)/file.sock", 0o600))
    TemporaryFolder.makeSocket("\(folder)/z.sock")
    var names = names()
    _ = try await expect(["z.sock"], from: &names)
  }

  @Test(.timeLimit(.minutes(1))) func aReplicaThatRestartsIsAnotherEndpoint() async throws {
    mkdir(folder, 0o700)
    TemporaryFolder.makeSocket("\(folder)/a.sock")
    var names = names()
    let first = try await expect(["a.sock"], from: &names)
    TemporaryFolder.makeSocket("\(folder)/a.sock")
    let second = try await expect(["a.sock"], from: &names)
    #expect(first != second)
    #expect(first[0].addresses == second[0].addresses)
  }

  /// Many times, since each part of the path may come at any moment of the search for the nearest that exists.
  @Test(.timeLimit(.minutes(1)), arguments: 0..<200)
  func theFolderMayComeLater(_: Int) async throws {
    let deep = "\(folder)/deep/er"
    var names = NameResolvers.UnixDirectory(
      eventLoop: EventLoopGroup.shared.next(), rescanInterval: .seconds(3600)
    ).resolver(for: .unixDirectory(path: deep)).names.makeAsyncIterator()
    #expect(try await names.next()?.endpoints == [])
    mkdir(folder, 0o700)
    mkdir("\(folder)/deep", 0o700)
    mkdir(deep, 0o700)
    TemporaryFolder.makeSocket("\(deep)/a.sock")
    while let result = try await names.next(), result.endpoints.isEmpty {}
  }

  @Test(.timeLimit(.minutes(1))) func aFolderThatIsReplacedIsWatchedToo() async throws {
    mkdir(folder, 0o700)
    TemporaryFolder.makeSocket("\(folder)/a.sock")
    var names = names()
    _ = try await expect(["a.sock"], from: &names)
    mkdir("\(parent.path)/other", 0o700)
    TemporaryFolder.makeSocket("\(parent.path)/other/b.sock")
    rename(folder, "\(parent.path)/old")
    rename("\(parent.path)/other", folder)
    _ = try await expect(["b.sock"], from: &names)
    TemporaryFolder.makeSocket("\(folder)/c.sock")
    _ = try await expect(["b.sock", "c.sock"], from: &names)
    TemporaryFolder.makeSocket("\(parent.path)/old/d.sock")
    unlink("\(folder)/b.sock")
    _ = try await expect(["c.sock"], from: &names)
  }

  @Test(.timeLimit(.minutes(1))) func aFolderThatGoesLeavesNothing() async throws {
    mkdir(folder, 0o700)
    TemporaryFolder.makeSocket("\(folder)/a.sock")
    var names = names()
    _ = try await expect(["a.sock"], from: &names)
    rename(folder, "\(parent.path)/old")
    _ = try await expect([], from: &names)
  }

  @Test(.timeLimit(.minutes(1))) func aRescanFindsWhatNobodyTold() async throws {
    // A link's target can change where no watch is.
    mkdir("\(parent.path)/1", 0o700)
    mkdir("\(parent.path)/2", 0o700)
    mkdir("\(parent.path)/1/real", 0o700)
    symlink("\(parent.path)/1/real", folder)
    var names = names(rescanInterval: .milliseconds(20))
    _ = try await expect([], from: &names)
    rename("\(parent.path)/1", "\(parent.path)/3")
    mkdir("\(parent.path)/1", 0o700)
    rename("\(parent.path)/2", "\(parent.path)/1/real")
    TemporaryFolder.makeSocket("\(parent.path)/1/real/a.sock")
    _ = try await expect(["a.sock"], from: &names)
  }

  @Test(arguments: [
    ("/run/kart", "/run", "kart"), ("/run", "/", "run"), ("kart", ".", "kart"),
    ("run/kart//", "run", "kart"), ("/run//kart", "/run", "kart"),
  ])
  func splitsPaths(path: String, folder: String, name: String) {
    let (above, last) = FolderWatch.split(path)
    #expect(above == folder && last == name)
  }
}
