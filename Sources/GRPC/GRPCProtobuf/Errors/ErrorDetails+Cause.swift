extension ErrorDetails {
  /// Why something failed, for programs to act on.
  public struct ErrorInfo: Sendable, Hashable {
    /// The reason, in `UPPER_SNAKE_CASE`, one of a fixed set of the domain.
    public var reason: String
    /// Whose reasons these are, such as the name of a service.
    public var domain: String
    /// What else there is to know of it.
    public var metadata: [String: String]

    /// Creates information of an error.
    ///
    /// - Parameters:
    ///   - reason: The reason, in `UPPER_SNAKE_CASE`.
    ///   - domain: Whose reasons these are.
    ///   - metadata: What else there is to know of it.
    public init(reason: String, domain: String, metadata: [String: String] = [:]) {
      self.reason = reason
      self.domain = domain
      self.metadata = metadata
    }
  }

  /// When to try again.
  public struct RetryInfo: Sendable, Hashable {
    /// How long to wait at least.
    public var delay: Duration

    /// Creates information on retrying.
    ///
    /// - Parameter delay: How long to wait at least.
    public init(delay: Duration) {
      self.delay = delay
    }
  }

  /// Where it failed, for developers.
  public struct DebugInfo: Sendable, Hashable {
    /// The calls that led there, the innermost first.
    public var stack: [String]
    /// What else the server says.
    public var detail: String

    /// Creates information for developers.
    ///
    /// - Parameters:
    ///   - stack: The calls that led there, the innermost first.
    ///   - detail: What else the server says.
    public init(stack: [String], detail: String) {
      self.stack = stack
      self.detail = detail
    }
  }

  /// Details that say why something failed.
  ///
  /// - Parameters:
  ///   - reason: The reason, in `UPPER_SNAKE_CASE`.
  ///   - domain: Whose reasons these are.
  ///   - metadata: What else there is to know of it.
  public static func errorInfo(
    reason: String, domain: String, metadata: [String: String] = [:]
  ) -> Self {
    Self(ErrorInfo(reason: reason, domain: domain, metadata: metadata))
  }

  /// Details that say when to try again.
  ///
  /// - Parameter delay: How long to wait at least.
  public static func retryInfo(delay: Duration) -> Self {
    Self(RetryInfo(delay: delay))
  }

  /// Details that say where it failed.
  ///
  /// - Parameters:
  ///   - stack: The calls that led there, the innermost first.
  ///   - detail: What else there is to say.
  public static func debugInfo(stack: [String], detail: String) -> Self {
    Self(DebugInfo(stack: stack, detail: detail))
  }

  /// Why something failed; `nil` where these details are of another kind.
  public var errorInfo: ErrorInfo? { standard() }
  /// When to try again; `nil` where these details are of another kind.
  public var retryInfo: RetryInfo? { standard() }
  /// Where it failed; `nil` where these details are of another kind.
  public var debugInfo: DebugInfo? { standard() }
}

extension ErrorDetails.ErrorInfo: StandardErrorDetails {
  init(_ message: Google_Rpc_ErrorInfo) {
    self.init(reason: message.reason, domain: message.domain, metadata: message.metadata)
  }

  var carrier: Google_Rpc_ErrorInfo {
    .with {
      $0.reason = reason
      $0.domain = domain
      $0.metadata = metadata
    }
  }
}

extension ErrorDetails.RetryInfo: StandardErrorDetails {
  init(_ message: Google_Rpc_RetryInfo) {
    self.init(delay: Duration(message.retryDelay))
  }

  var carrier: Google_Rpc_RetryInfo {
    .with { $0.retryDelay = .init(rounding: delay) }
  }
}

extension ErrorDetails.DebugInfo: StandardErrorDetails {
  init(_ message: Google_Rpc_DebugInfo) {
    self.init(stack: message.stackEntries, detail: message.detail)
  }

  var carrier: Google_Rpc_DebugInfo {
    .with {
      $0.stackEntries = stack
      $0.detail = detail
    }
  }
}
