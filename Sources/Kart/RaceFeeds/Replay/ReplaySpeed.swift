/// How fast a capture is replayed.
public enum ReplaySpeed: Hashable, Sendable, CustomStringConvertible {
  /// So many times as fast as it was captured.
  case times(Int)
  /// Without any waiting.
  case max

  /// Reads `max`, or a whole number from 1 to 1,000.
  public init?(_ text: String) {
    if text == "max" {
      self = .max
    } else if let factor = Int(text), (1...1000).contains(factor) {
      self = .times(factor)
    } else {
      return nil
    }
  }

  /// As ``init(_:)`` reads it.
  public var description: String {
    switch self {
    case .times(let factor): "\(factor)"
    case .max: "max"
    }
  }

  /// How long a replay takes for what took `duration`.
  func pace(_ duration: Duration) -> Duration {
    switch self {
    case .times(let factor): duration / factor
    case .max: .zero
    }
  }
}
