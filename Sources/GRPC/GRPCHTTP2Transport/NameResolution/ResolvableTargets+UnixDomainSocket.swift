import EventLoop
import GRPCCore

extension ResolvableTargets {
  /// A Unix domain socket.
  public struct UnixDomainSocket: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The socket's path.
    public var path: String

    /// The `:authority` of calls; `localhost` if nil, since a path is not a valid one.
    public var authority: String?

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - authority: The `:authority` of calls; `localhost` if nil.
    public init(path: String, authority: String? = nil) {
      self.path = path
      self.authority = authority
    }

    /// The target as a gRPC name, such as `unix:/run/kart.sock`.
    public var description: String { "unix:\(path)" }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.UnixDomainSocket {
  /// A Unix domain socket.
  ///
  /// - Parameters:
  ///   - path: The socket's path.
  ///   - authority: The `:authority` of calls; `localhost` if nil.
  /// - Returns: The target.
  public static func unixDomainSocket(path: String, authority: String? = nil) -> Self {
    Self(path: path, authority: authority)
  }
}

extension NameResolvers {
  /// Resolves a socket's path to itself, and anew when another socket takes its place.
  ///
  /// A channel whose server comes back under its path thus connects at once, whatever backoff it had.
  public struct UnixDomainSocket: NameResolverFactory {
    private let loop: EventLoop
    private let rescanInterval: Duration

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - eventLoop: Where the socket's folder is watched.
    ///   - rescanInterval: How often to look without having been told of a change, for file systems which
    ///     do not tell.
    public init(eventLoop: EventLoop, rescanInterval: Duration = .seconds(2)) {
      loop = eventLoop
      self.rescanInterval = rescanInterval
    }

    /// Makes a resolver that pushes the socket again whenever it is another.
    ///
    /// - Parameter target: The socket.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.UnixDomainSocket) -> NameResolver {
      let (folder, file) = FolderWatch.split(target.path)
      return .watching(
        folder: folder, file: file, on: loop, rescanInterval: rescanInterval,
        authority: target.authority ?? "localhost"
      ) { former in
        let identity = SocketFileIdentity(path: target.path)
        // A socket that was removed may still have its server, and connections to it.
        if identity == nil, let former { return former }
        return NameResolutionResult(endpoints: [
          Endpoint(addresses: [.unixDomainSocket(path: target.path)], incarnation: identity)
        ])
      }
    }
  }
}
