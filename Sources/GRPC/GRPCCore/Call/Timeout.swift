/// The value of a `grpc-timeout` header: at most eight digits and a unit.
///
/// See "Requests" in the gRPC over HTTP/2 specification.
public struct Timeout: Sendable, Hashable, CustomStringConvertible {
  private enum Unit: Character, CaseIterable {
    case nanoseconds = "n"
    case microseconds = "u"
    case milliseconds = "m"
    case seconds = "S"
    case minutes = "M"
    case hours = "H"

    var nanoseconds: Int64 {
      switch self {
      case .nanoseconds: 1
      case .microseconds: 1_000
      case .milliseconds: 1_000_000
      case .seconds: 1_000_000_000
      case .minutes: 60_000_000_000
      case .hours: 3_600_000_000_000
      }
    }
  }

  private static let mostDigits: Int64 = 99_999_999
  private let amount: Int64
  private let unit: Unit

  /// The time as a duration.
  public var duration: Duration {
    let perSecond: Int64 = 1_000_000_000
    let seconds = amount.multipliedFullWidth(by: unit.nanoseconds)
    let parts = perSecond.dividingFullWidth((seconds.high, seconds.low))
    return .seconds(parts.quotient) + .nanoseconds(parts.remainder)
  }

  /// The header's value.
  public var description: String { "\(amount)\(unit.rawValue)" }

  /// Rounds a duration up to what a header can say.
  ///
  /// - Parameter duration: The time; a negative one becomes the shortest there is, and one beyond
  ///   99,999,999 hours becomes that.
  public init(rounding duration: Duration) {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else {
      (amount, unit) = (0, .nanoseconds)
      return
    }
    let fraction = (attoseconds + 999_999_999) / 1_000_000_000
    for unit in Unit.allCases {
      let amount: Int64
      if unit.nanoseconds <= 1_000_000_000 {
        let perSecond = 1_000_000_000 / unit.nanoseconds
        let whole = seconds.multipliedReportingOverflow(by: perSecond)
        guard !whole.overflow else { continue }
        amount = whole.partialValue &+ (fraction + unit.nanoseconds - 1) / unit.nanoseconds
      } else {
        let length = unit.nanoseconds / 1_000_000_000
        amount = seconds / length + (seconds % length > 0 || fraction > 0 ? 1 : 0)
      }
      if (0...Self.mostDigits).contains(amount) {
        (self.amount, self.unit) = (amount, unit)
        return
      }
    }
    (amount, unit) = (Self.mostDigits, .hours)
  }

  /// Reads a header's value.
  ///
  /// - Parameter text: One to eight digits and a unit; anything else makes `nil`.
  public init?(decoding text: String) {
    self.init(decoding: text.utf8)
  }

  /// Reads a header's value.
  ///
  /// - Parameter text: One to eight digits and a unit in ASCII; anything else makes `nil`.
  public init?<Text: BidirectionalCollection<UInt8>>(decoding text: Text) {
    guard let last = text.last, let unit = Unit(rawValue: Character(Unicode.Scalar(last))) else {
      return nil
    }
    let digits = text.dropLast()
    guard (1...8).contains(digits.count) else { return nil }
    var amount: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      amount = amount * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    (self.amount, self.unit) = (amount, unit)
  }
}
