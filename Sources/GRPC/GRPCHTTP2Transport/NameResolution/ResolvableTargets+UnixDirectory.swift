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
      let folder = SocketFolder(path: target.path)
      return .watching(
        folder: target.path, on: loop, rescanInterval: rescanInterval, authority: "localhost"
      ) { _ in NameResolutionResult(endpoints: folder.endpoints()) }
    }
  }
}
