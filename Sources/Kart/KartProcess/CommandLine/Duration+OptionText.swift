extension Duration {
  /// The units of a length of time on the command line, in nanoseconds, the longest first.
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000),
    ("us", 1_000),
  ]

  /// Reads a length of time: a number and a unit, such as `500ms`, `2s`, `1.5m` or `1h`.
  package init?(optionText text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = text[number.endIndex...]
    guard
      let amount = Double(number), let unit = Duration.units.first(where: { $0.name == name }),
      // Thirty years: far past any wait, and far from overflow.
      amount * Double(unit.nanoseconds) < 1e18
    else { return nil }
    self = .nanoseconds(Int64((amount * Double(unit.nanoseconds)).rounded()))
  }

  /// The length of time as the command line takes it, in the longest unit that is exact.
  package var optionText: String {
    let nanoseconds = Int64(self / .nanoseconds(1))
    guard nanoseconds != 0 else { return "0s" }
    for unit in Duration.units where nanoseconds.isMultiple(of: unit.nanoseconds) {
      return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }
    return "\(Double(nanoseconds) / 1e9)s"
  }
}
