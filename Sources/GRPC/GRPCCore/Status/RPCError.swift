/// The failure of a call, as both sides see it.
public struct RPCError: Sendable, Hashable, Error {
  /// What kind of failure it is.
  public var code: Code
  /// What a developer wants to know of it.
  public var message: String
  /// What the server sent along with the failure.
  public var metadata: Metadata
  /// What led to it, in this process; never sent to the peer.
  public var cause: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What a developer wants to know of it.
  ///   - metadata: What to send along.
  ///   - cause: What led to it. An `RPCError` of the same code is folded into this one: its message
  ///     is appended and its metadata added.
  public init(code: Code, message: String, metadata: Metadata = [:], cause: (any Error)? = nil) {
    if let cause = cause as? RPCError, cause.code == code {
      self.code = code
      self.message = cause.message.isEmpty ? message : message + " \(cause.message)"
      self.metadata = metadata
      self.metadata.add(contentsOf: cause.metadata)
      self.cause = cause.cause
    } else {
      self.code = code
      self.message = message
      self.metadata = metadata
      self.cause = cause
    }
  }

  /// Creates the error of a status.
  ///
  /// - Parameters:
  ///   - status: The status; ``Status/Code-swift.struct/ok`` makes `nil`.
  ///   - metadata: What came along with it.
  public init?(status: Status, metadata: Metadata = [:]) {
    guard let code = Code(status.code) else { return nil }
    self.init(code: code, message: status.message, metadata: metadata)
  }

  /// Whether two errors have the same code, message and metadata; causes are not compared.
  public static func == (lhs: RPCError, rhs: RPCError) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message && lhs.metadata == rhs.metadata
  }

  /// Hashes the code, the message and the metadata.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(metadata)
  }
}

extension RPCError: CustomStringConvertible {
  /// The code, the message and the cause.
  public var description: String {
    let text = message.isEmpty ? "\(code)" : "\(code): \(message)"
    return cause.map { text + " (cause: \($0))" } ?? text
  }
}

extension RPCError {
  /// The code of a failure: any status code but OK.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    let status: Status.Code

    private init(_ status: Status.Code, _: Void) { self.status = status }

    /// Creates a code from that of a status.
    ///
    /// - Parameter code: The status code; ``Status/Code-swift.struct/ok`` makes `nil`.
    public init?(_ code: Status.Code) {
      guard code != .ok else { return nil }
      status = code
    }

    /// The code's number on the wire.
    public var rawValue: Int { status.rawValue }

    /// The code's name in the specification.
    public var description: String { status.description }

    /// The call was cancelled, typically by its caller.
    public static let cancelled = Self(.cancelled, ())
    /// Something else went wrong.
    public static let unknown = Self(.unknown, ())
    /// The caller's argument is wrong, whatever the state of the system.
    public static let invalidArgument = Self(.invalidArgument, ())
    /// The deadline passed before the call ended.
    public static let deadlineExceeded = Self(.deadlineExceeded, ())
    /// What was asked for does not exist.
    public static let notFound = Self(.notFound, ())
    /// What was to be created exists.
    public static let alreadyExists = Self(.alreadyExists, ())
    /// The caller is known, and may not do this.
    public static let permissionDenied = Self(.permissionDenied, ())
    /// A limit or a quota is used up.
    public static let resourceExhausted = Self(.resourceExhausted, ())
    /// The system is not in the state that this needs.
    public static let failedPrecondition = Self(.failedPrecondition, ())
    /// The call was in conflict with another.
    public static let aborted = Self(.aborted, ())
    /// The argument is beyond a range that depends on the system's state.
    public static let outOfRange = Self(.outOfRange, ())
    /// The server does not have this method, or not this use of it.
    public static let unimplemented = Self(.unimplemented, ())
    /// Something that always holds did not.
    public static let internalError = Self(.internalError, ())
    /// The service can't be reached now; a later try may succeed.
    public static let unavailable = Self(.unavailable, ())
    /// Data is lost or damaged.
    public static let dataLoss = Self(.dataLoss, ())
    /// The caller did not prove who it is.
    public static let unauthenticated = Self(.unauthenticated, ())
  }
}
