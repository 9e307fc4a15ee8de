extension OutlierDetection {
  /// How endpoints are judged. The default values are the proposal's own.
  public struct Settings: Sendable, Hashable {
    /// Ejects endpoints whose part of successful calls is far below the others'.
    public struct SuccessRate: Sendable, Hashable {
      /// How many standard deviations below the mean are too many, in thousandths.
      public var stdevFactor = 1900
      /// In how many of a hundred cases an endpoint found bad is ejected.
      public var enforcementPercentage = 100
      /// How many endpoints must have enough calls.
      public var minimumHosts = 5
      /// How many calls of an interval are enough.
      public var requestVolume = 100

      /// Makes the proposal's own values.
      public init() {}
    }

    /// Ejects endpoints of whose calls too many fail.
    public struct FailurePercentage: Sendable, Hashable {
      /// How many failures of a hundred calls are still not too many.
      public var threshold = 85
      /// In how many of a hundred cases an endpoint found bad is ejected.
      public var enforcementPercentage = 100
      /// How many endpoints must have enough calls.
      public var minimumHosts = 5
      /// How many calls of an interval are enough.
      public var requestVolume = 50

      /// Makes the proposal's own values.
      public init() {}
    }

    /// How long calls are counted before endpoints are judged.
    public var interval: Duration = .seconds(10)
    /// How long the first ejection lasts; each further one in a row lasts as much longer.
    public var baseEjectionTime: Duration = .seconds(30)
    /// How long an ejection lasts at most.
    public var maxEjectionTime: Duration = .seconds(300)
    /// How many of a hundred endpoints may be ejected, but for the first one.
    public var maxEjectionPercent = 10
    /// Whether calls go to endpoints that are out where there is no other left that can be connected to. The
    /// proposal has such calls fail.
    public var usesEjectedAsLastResort = false
    /// Whether a call that was answered with a refusal counts as successful: with a status that tells of the request,
    /// or of its server having enough to do. By the proposal it has failed, and who sends nonsense can have
    /// servers taken out.
    public var acceptsRefusals = false
    /// Ejects endpoints whose part of successful calls is far below the others'; does not if nil.
    public var successRate: SuccessRate?
    /// Ejects endpoints of whose calls too many fail; does not if nil.
    public var failurePercentage: FailurePercentage?

    /// Makes settings that eject nothing yet.
    public init() {}
  }
}
