import EventLoop
import FoundationEssentials
import GRPCCore

extension ResolvableTargets {
  /// A file that lists endpoints, and is read again whenever it has changed.
  ///
  /// ```json
  /// {
  ///   "endpoints": [
  ///     {"addresses": ["ipv4:10.0.0.1:8080", "ipv6:[fd00::1]:8080"], "weight": 2, "zone": "a"},
  ///     {"addresses": ["unix:/run/kart/spare.sock"], "priority": 1}
  ///   ],
  ///   "serviceConfig": {"loadBalancingConfig": [{"round_robin": {}}]}
  /// }
  /// ```
  public struct EndpointsFile: ResolvableTarget, Hashable, CustomStringConvertible {
    /// The file.
    public var path: String

    /// Makes a target.
    ///
    /// - Parameter path: The file.
    public init(path: String) {
      self.path = path
    }

    /// The target as a gRPC name, such as `file:/etc/kart/trackers.json`.
    public var description: String { "file:\(path)" }
  }
}

extension ResolvableTarget where Self == ResolvableTargets.EndpointsFile {
  /// A file that lists endpoints, and is read again whenever it has changed.
  ///
  /// - Parameter path: The file.
  /// - Returns: The target.
  public static func endpointsFile(path: String) -> Self {
    Self(path: path)
  }
}

extension NameResolvers {
  /// Resolves files of endpoints, which it watches with inotify.
  ///
  /// A file that is gone or cannot be read leaves the last endpoints in force.
  public struct EndpointsFile: NameResolverFactory {
    private let loop: EventLoop
    private let rescanInterval: Duration

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - eventLoop: Where the file is watched.
    ///   - rescanInterval: How often to look without having been told of a change, for file systems which
    ///     do not tell.
    public init(eventLoop: EventLoop, rescanInterval: Duration = .seconds(2)) {
      loop = eventLoop
      self.rescanInterval = rescanInterval
    }

    /// Makes a resolver that pushes the file's endpoints whenever they change.
    ///
    /// - Parameter target: The file.
    /// - Returns: The resolver.
    public func resolver(for target: ResolvableTargets.EndpointsFile) -> NameResolver {
      let (folder, _) = FolderWatch.split(target.path)
      // All of the folder is watched, since a name may be a link to another that is replaced.
      return .watching(
        folder: folder, on: loop, rescanInterval: rescanInterval, authority: "localhost"
      ) { former in
        do throws(RPCError) {
          return try EndpointList.read(target.path)
        } catch {
          return former?.failure == nil
            ? former ?? NameResolutionResult(endpoints: [], failure: error)
            : NameResolutionResult(endpoints: [], failure: error)
        }
      }
    }
  }
}

/// What is in a file of endpoints.
private struct EndpointList: Decodable {
  struct Item: Decodable {
    var addresses: [String]
    var weight: Int?
    var priority: Int?
    var zone: String?
  }

  var endpoints: [Item]
  var serviceConfig: ServiceConfig?

  static func read(_ path: String) throws(RPCError) -> NameResolutionResult {
    do {
      let list = try JSONDecoder().decode(
        EndpointList.self, from: Data(try FileContents.read(path)))
      return NameResolutionResult(
        endpoints: try list.endpoints.map { item in
          Endpoint(
            addresses: try item.addresses.map { try SocketAddress(parsing: $0) },
            weight: item.weight ?? 1, priority: item.priority ?? 0, zone: item.zone ?? "")
        }, serviceConfig: list.serviceConfig.map { .success($0) })
    } catch let error as FileError {
      throw RPCError(code: .unavailable, message: "\(error).")
    } catch let error as InvalidSocketAddress {
      throw RPCError(code: .unavailable, message: "In the file \(path): \(error)")
    } catch {
      throw RPCError(
        code: .unavailable, message: "The file \(path) is no list of endpoints: \(error).")
    }
  }
}
