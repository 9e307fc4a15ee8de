/// A small random number generator whose numbers are the same on every machine and in every version
/// of Swift (Steele, Lea and Flood 2014).
struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    self.state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Evenly from -1 to 1. Not the standard library's `random(in:)`, whose numbers may change.
  mutating func nextSigned() -> Double {
    Double(next() >> 11) * 0x1p-52 - 1
  }

  /// From -1 to 1, mostly near 0: the mean of three even ones.
  mutating func nextBell() -> Double {
    (nextSigned() + nextSigned() + nextSigned()) / 3
  }
}
