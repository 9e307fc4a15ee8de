/// A failure of a client or a server itself, rather than of a call.
public struct RuntimeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public var code: Code
  /// What went wrong, in a sentence.
  public var message: String
  /// What led to it.
  public var cause: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What went wrong, in a sentence.
  ///   - cause: What led to it.
  public init(code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Whether two errors have the same code and message; causes are not compared.
  public static func == (lhs: RuntimeError, rhs: RuntimeError) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message
  }

  /// Hashes the code and the message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }

  /// The message, and the cause where there is one.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }

  /// The kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind {
      case invalidArgument, serverRunning, serverStopped, clientRunning, clientStopped, transport
    }
    private let kind: Kind

    /// An argument is wrong.
    public static let invalidArgument = Self(kind: .invalidArgument)
    /// The server serves already.
    public static let serverIsAlreadyRunning = Self(kind: .serverRunning)
    /// The server has served, and cannot again.
    public static let serverIsStopped = Self(kind: .serverStopped)
    /// The client's connections run already.
    public static let clientIsAlreadyRunning = Self(kind: .clientRunning)
    /// The client is shut down.
    public static let clientIsStopped = Self(kind: .clientStopped)
    /// The transport failed.
    public static let transportError = Self(kind: .transport)

    /// The code's name.
    public var description: String {
      switch kind {
      case .invalidArgument: "invalidArgument"
      case .serverRunning: "serverIsAlreadyRunning"
      case .serverStopped: "serverIsStopped"
      case .clientRunning: "clientIsAlreadyRunning"
      case .clientStopped: "clientIsStopped"
      case .transport: "transportError"
      }
    }
  }
}
