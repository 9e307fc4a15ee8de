import FoundationEssentials
import RaceControl

extension UTCInstant {
  /// Now, by the machine's clock.
  static var now: UTCInstant {
    UTCInstant(sinceEpoch: .nanoseconds(Int64(Date.now.timeIntervalSince1970 * 1e9)))
  }
}
