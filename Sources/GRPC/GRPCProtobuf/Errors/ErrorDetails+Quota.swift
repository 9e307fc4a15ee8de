extension ErrorDetails {
  /// Which quotas are used up.
  public struct QuotaFailure: Sendable, Hashable {
    /// A quota that is used up.
    public struct Violation: Sendable, Hashable {
      /// Whose quota it is, such as `clientip:192.0.2.1`.
      public var subject: String
      /// What the quota is, and how to get a larger one.
      public var violationDescription: String
      /// The service that the quota belongs to.
      public var apiService = ""
      /// What the quota counts.
      public var quotaMetric = ""
      /// What the quota is called.
      public var quotaID = ""
      /// What the quota is set for, such as a region.
      public var quotaDimensions: [String: String] = [:]
      /// How much the quota is.
      public var quotaValue: Int64 = 0
      /// How much it will be, where it is being changed.
      public var futureQuotaValue: Int64?

      /// Creates a violation.
      ///
      /// - Parameters:
      ///   - subject: Whose quota it is.
      ///   - description: What the quota is, and how to get a larger one.
      public init(subject: String, description: String) {
        self.subject = subject
        violationDescription = description
      }
    }

    /// The quotas.
    public var violations: [Violation]

    /// Creates a failure.
    ///
    /// - Parameter violations: The quotas.
    public init(violations: [Violation]) {
      self.violations = violations
    }
  }

  /// Details that say which quotas are used up.
  ///
  /// - Parameter violations: The quotas.
  public static func quotaFailure(violations: [QuotaFailure.Violation]) -> Self {
    Self(QuotaFailure(violations: violations))
  }

  /// Which quotas are used up; `nil` where these details are of another kind.
  public var quotaFailure: QuotaFailure? { standard() }
}

extension ErrorDetails.QuotaFailure: StandardErrorDetails {
  init(_ message: Google_Rpc_QuotaFailure) {
    violations = message.violations.map(Violation.init)
  }

  var carrier: Google_Rpc_QuotaFailure {
    .with { $0.violations = violations.map(\.carrier) }
  }
}

extension ErrorDetails.QuotaFailure.Violation {
  fileprivate init(_ message: Google_Rpc_QuotaFailure.Violation) {
    self.init(subject: message.subject, description: message.description_p)
    apiService = message.apiService
    quotaMetric = message.quotaMetric
    quotaID = message.quotaID
    quotaDimensions = message.quotaDimensions
    quotaValue = message.quotaValue
    futureQuotaValue = message.hasFutureQuotaValue ? message.futureQuotaValue : nil
  }

  fileprivate var carrier: Google_Rpc_QuotaFailure.Violation {
    .with {
      $0.subject = subject
      $0.description_p = violationDescription
      $0.apiService = apiService
      $0.quotaMetric = quotaMetric
      $0.quotaID = quotaID
      $0.quotaDimensions = quotaDimensions
      $0.quotaValue = quotaValue
      if let futureQuotaValue { $0.futureQuotaValue = futureQuotaValue }
    }
  }
}
