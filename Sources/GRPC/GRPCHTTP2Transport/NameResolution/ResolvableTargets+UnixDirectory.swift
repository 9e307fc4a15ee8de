import EventLoop
import GRPCCore

extension ResolvableTargets {
  /// A folder of Unix sockets, each of them an endpoint.
  ///
  /// A server joins by renaming its socket into the folder, under a name that ends in `.sock`, and leaves by
  /// removing it. The folder may come to be, and be replaced, while the channel lives.
  public struct UnixDirectory: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The folder.
    public var path: String

    /// Makes a target.
    ///
    /// - Parameter path: The folder.
    public init(path: String) {
      self.path = path
    }

    /// The target as a gRPC name, such as `unix-dir:/run/trackers`.
    public var description: String { "unix-dir:\(path)" }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.UnixDirectory {
  /// A folder of Unix sockets, each of them an endpoint.
  ///
  /// - Parameter path: The folder.
  /// - Returns: The target.
  public static func unixDirectory(path: String) -> Self {
    Self(path: path)
  }
}

extension NameResolvers {
  /// Resolves folders of sockets and watches them with inotify.
  public struct UnixDirectory: NameResolverFactory {
    private let loop: EventLoop
    private let rescanInterval: Duration

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - eventLoop: Where the folder is watched.
    ///   - rescanInterval: How often to look without having been told of a change, for file systems which
    ///     do not tell.
    public init(eventLoop: EventLoop, rescanInterval: Duration = .seconds(2)) {
      loop = eventLoop
      self.rescanInterval = rescanInterval
    }

    /// Makes a resolver that pushes the folder's sockets whenever they change.
    ///
    /// - Parameter target: The folder.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.UnixDirectory) -> NameResolver {
      let (results, continuation) = AsyncThrowingStream.makeStream(
        of: NameResolutionResult.self, bufferingPolicy: .bufferingNewest(1))
      let scanner = UnixDirectoryScanner(
        path: target.path, loop: loop, rescanInterval: rescanInterval
      ) { continuation.yield(NameResolutionResult(endpoints: $0)) }
      continuation.onTermination = { [loop] _ in loop.execute { scanner.stop() } }
      loop.execute { scanner.start() }
      return NameResolver(
        names: RPCAsyncSequence(wrapping: results), updateMode: .push, authority: "localhost")
    }
  }
}

/// Keeps the sockets of a folder current.
///
/// `@unchecked Sendable` holds because it is started, called and stopped on its loop alone.
final class UnixDirectoryScanner: @unchecked Sendable {
  private let folder: SocketFolder
  private let loop: EventLoop
  private let rescanInterval: Duration
  private let onChange: ([Endpoint]) -> Void
  private var watch: FolderWatch?
  private var timer: ScheduledTimer?
  private var endpoints: [Endpoint]?
  private var isStopped = false

  init(
    path: String, loop: EventLoop, rescanInterval: Duration,
    onChange: @escaping ([Endpoint]) -> Void
  ) {
    folder = SocketFolder(path: path)
    self.loop = loop
    self.rescanInterval = rescanInterval
    self.onChange = onChange
  }

  func start() {
    guard !isStopped else { return }
    // The watch holds its closure, and the loop the watch, until it is stopped.
    watch = FolderWatch(path: folder.path, loop: loop) { [weak self] in self?.scan() }
    rescan()
  }

  func stop() {
    isStopped = true
    timer?.cancel()
    watch?.stop()
  }

  private func rescan() {
    watch?.placeWatches()
    scan()
    timer = loop.schedule(after: rescanInterval) { [weak self] in self?.rescan() }
  }

  private func scan() {
    let found = folder.endpoints()
    guard found != endpoints else { return }
    endpoints = found
    onChange(found)
  }
}
