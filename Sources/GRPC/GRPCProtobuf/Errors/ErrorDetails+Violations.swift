extension ErrorDetails {
  /// Which conditions did not hold.
  public struct PreconditionFailure: Sendable, Hashable {
    /// A condition that did not hold.
    public struct Violation: Sendable, Hashable {
      /// The kind of condition, one of a fixed set of the service.
      public var type: String
      /// What it was to hold of.
      public var subject: String
      /// How to make it hold.
      public var violationDescription: String

      /// Creates a violation.
      ///
      /// - Parameters:
      ///   - type: The kind of condition.
      ///   - subject: What it was to hold of.
      ///   - description: How to make it hold.
      public init(type: String, subject: String, description: String) {
        self.type = type
        self.subject = subject
        violationDescription = description
      }
    }

    /// The conditions.
    public var violations: [Violation]

    /// Creates a failure.
    ///
    /// - Parameter violations: The conditions.
    public init(violations: [Violation]) {
      self.violations = violations
    }
  }

  /// Which fields of a request are wrong.
  public struct BadRequest: Sendable, Hashable {
    /// A field that is wrong.
    public struct FieldViolation: Sendable, Hashable {
      /// The path of the field, such as `karts[3].number`.
      public var field: String
      /// Why it is wrong.
      public var violationDescription: String
      /// The same for programs, in `UPPER_SNAKE_CASE`; empty where there is no such reason.
      public var reason: String
      /// The same for the user, in their language.
      public var localizedMessage: LocalizedMessage?

      /// Creates a violation.
      ///
      /// - Parameters:
      ///   - field: The path of the field.
      ///   - description: Why it is wrong.
      ///   - reason: The same for programs.
      ///   - localizedMessage: The same for the user.
      public init(
        field: String, description: String, reason: String = "",
        localizedMessage: LocalizedMessage? = nil
      ) {
        self.field = field
        violationDescription = description
        self.reason = reason
        self.localizedMessage = localizedMessage
      }
    }

    /// The fields.
    public var violations: [FieldViolation]

    /// Creates a failure.
    ///
    /// - Parameter violations: The fields.
    public init(violations: [FieldViolation]) {
      self.violations = violations
    }
  }

  /// Details that say which conditions did not hold.
  ///
  /// - Parameter violations: The conditions.
  public static func preconditionFailure(violations: [PreconditionFailure.Violation]) -> Self {
    Self(PreconditionFailure(violations: violations))
  }

  /// Details that say which fields of the request are wrong.
  ///
  /// - Parameter violations: The fields.
  public static func badRequest(violations: [BadRequest.FieldViolation]) -> Self {
    Self(BadRequest(violations: violations))
  }

  /// Which conditions did not hold; `nil` where these details are of another kind.
  public var preconditionFailure: PreconditionFailure? { standard() }
  /// Which fields of the request are wrong; `nil` where these details are of another kind.
  public var badRequest: BadRequest? { standard() }
}

extension ErrorDetails.PreconditionFailure: StandardErrorDetails {
  init(_ message: Google_Rpc_PreconditionFailure) {
    violations = message.violations.map {
      Violation(type: $0.type, subject: $0.subject, description: $0.description_p)
    }
  }

  var carrier: Google_Rpc_PreconditionFailure {
    .with {
      $0.violations = violations.map { violation in
        .with {
          $0.type = violation.type
          $0.subject = violation.subject
          $0.description_p = violation.violationDescription
        }
      }
    }
  }
}

extension ErrorDetails.BadRequest: StandardErrorDetails {
  init(_ message: Google_Rpc_BadRequest) {
    violations = message.fieldViolations.map {
      FieldViolation(
        field: $0.field, description: $0.description_p, reason: $0.reason,
        localizedMessage: $0.hasLocalizedMessage
          ? ErrorDetails.LocalizedMessage($0.localizedMessage) : nil)
    }
  }

  var carrier: Google_Rpc_BadRequest {
    .with {
      $0.fieldViolations = violations.map { violation in
        .with {
          $0.field = violation.field
          $0.description_p = violation.violationDescription
          $0.reason = violation.reason
          if let message = violation.localizedMessage?.carrier { $0.localizedMessage = message }
        }
      }
    }
  }
}
