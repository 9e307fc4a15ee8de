/// How a call ended.
///
/// See the gRPC specification's "Status codes and their use in gRPC".
public struct Status: Sendable, Hashable {
  /// What kind of end it was.
  public let code: Code
  /// What a developer wants to know of it.
  public let message: String

  /// Creates a status.
  ///
  /// - Parameters:
  ///   - code: The kind of end.
  ///   - message: What a developer wants to know of it. Dropped with ``Code-swift.struct/ok``.
  public init(code: Code, message: String) {
    self.code = code
    self.message = code == .ok ? "" : message
  }

  /// The call succeeded.
  package static let ok = Status(code: .ok, message: "")
}

extension Status: CustomStringConvertible {
  /// The code, and the message where there is one.
  public var description: String {
    message.isEmpty ? "\(code)" : "\(code): \(message)"
  }
}

extension Status {
  /// A status code.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's number on the wire.
    public let rawValue: Int

    private init(_ rawValue: Int) { self.rawValue = rawValue }

    /// Creates a code from its number.
    ///
    /// - Parameter rawValue: 0 to 16; another number makes `nil`.
    public init?(rawValue: Int) {
      guard Self.names.indices.contains(rawValue) else { return nil }
      self.rawValue = rawValue
    }

    /// Creates the code of an error.
    ///
    /// - Parameter code: The error's code.
    public init(_ code: RPCError.Code) {
      self = code.status
    }

    /// The code's name in the specification.
    public var description: String { Self.names[rawValue] }

    private static let names = [
      "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
      "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]

    /// The call succeeded.
    public static let ok = Self(0)
    /// The call was cancelled, typically by its caller.
    public static let cancelled = Self(1)
    /// Something else went wrong.
    public static let unknown = Self(2)
    /// The caller's argument is wrong, whatever the state of the system.
    public static let invalidArgument = Self(3)
    /// The deadline passed before the call ended.
    public static let deadlineExceeded = Self(4)
    /// What was asked for does not exist.
    public static let notFound = Self(5)
    /// What was to be created exists.
    public static let alreadyExists = Self(6)
    /// The caller is known, and may not do this.
    public static let permissionDenied = Self(7)
    /// A limit or a quota is used up.
    public static let resourceExhausted = Self(8)
    /// The system is not in the state that this needs.
    public static let failedPrecondition = Self(9)
    /// The call was in conflict with another.
    public static let aborted = Self(10)
    /// The argument is beyond a range that depends on the system's state.
    public static let outOfRange = Self(11)
    /// The server does not have this method, or not this use of it.
    public static let unimplemented = Self(12)
    /// Something that always holds did not.
    public static let internalError = Self(13)
    /// The service can't be reached now; a later try may succeed.
    public static let unavailable = Self(14)
    /// Data is lost or damaged.
    public static let dataLoss = Self(15)
    /// The caller did not prove who it is.
    public static let unauthenticated = Self(16)
  }
}
