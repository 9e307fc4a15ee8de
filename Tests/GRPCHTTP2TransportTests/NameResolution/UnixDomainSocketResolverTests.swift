import EventLoop
import GRPCCore
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite(.timeLimit(.minutes(1))) struct UnixDomainSocketResolverTests {
  private typealias Names = RPCAsyncSequence<NameResolutionResult, any Error>.AsyncIterator

  private let parent = TemporaryFolder()
  private var path: String { "\(parent.path)/run/s.sock" }

  /// A rescan interval so long that only inotify can have told.
  private func names() -> Names {
    NameResolvers.UnixDomainSocket(
      eventLoop: EventLoopGroup.shared.next(), rescanInterval: .seconds(3600)
    )
    .resolver(for: .unixDomainSocket(path: path)).names.makeAsyncIterator()
  }

  @Test func eachSocketOfThePathIsAnotherEndpoint() async throws {
    mkdir("\(parent.path)/run", 0o700)
    var names = names()
    let absent = try #require(try await names.next()).endpoints
    #expect(absent == [Endpoint(addresses: [.unixDomainSocket(path: path)])])
    TemporaryFolder.makeSocket(path)
    let first = try #require(try await names.next()).endpoints
    #expect(first.map(\.addresses) == absent.map(\.addresses))
    #expect(first != absent)
    // A removal alone says nothing, so the next result is already about the next socket.
    unlink(path)
    TemporaryFolder.makeSocket("\(parent.path)/run/other.sock")
    TemporaryFolder.makeSocket(path)
    let second = try #require(try await names.next()).endpoints
    #expect(second != first && second != absent)
  }

  @Test func theFolderMayComeLater() async throws {
    var names = names()
    let absent = try #require(try await names.next()).endpoints
    mkdir("\(parent.path)/run", 0o700)
    TemporaryFolder.makeSocket(path)
    let first = try #require(try await names.next()).endpoints
    #expect(first.map(\.addresses) == absent.map(\.addresses) && first != absent)
  }

  @Test func manyWatchesShareOneInotifyInstance() async throws {
    mkdir("\(parent.path)/run", 0o700)
    // A user may have 128 instances on many systems.
    var all = (0..<300).map { _ in names() }
    for index in all.indices { _ = try await all[index].next() }
    TemporaryFolder.makeSocket(path)
    for index in all.indices {
      #expect(try await all[index].next()?.endpoints.first?.incarnation != nil)
    }
  }
}
