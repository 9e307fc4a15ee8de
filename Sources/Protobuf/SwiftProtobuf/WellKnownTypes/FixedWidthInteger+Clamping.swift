extension FixedWidthInteger {
  /// The integer nearest to `value`; 0 for what is not a number.
  init(clamping value: Double) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else if value.isNaN {
      self = 0
    } else {
      self = value < 0 ? .min : .max
    }
  }
}
