/// The value of a field of a log line.
package enum LogValue: Sendable, Hashable {
  case text(String)
  case integer(Int64)
  case boolean(Bool)

  /// The text of any value that describes itself, an error among them.
  package static func describing(_ value: some Any) -> LogValue {
    .text("\(value)")
  }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) {
    self = .text(value)
  }

  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  package init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }

  package init(_ value: some BinaryInteger) {
    self = .integer(Int64(clamping: value))
  }

  /// A length of time, in milliseconds.
  package init(milliseconds duration: Duration) {
    self = .integer(Int64(duration / .milliseconds(1)))
  }
}
