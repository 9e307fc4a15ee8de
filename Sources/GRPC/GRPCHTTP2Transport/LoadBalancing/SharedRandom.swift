import Synchronization

/// Random numbers for pickers: without a lock, from any thread (SplitMix64).
struct SharedRandom: ~Copyable, Sendable {
  private let state: Atomic<UInt64>

  init(seed: UInt64) {
    state = Atomic(seed)
  }

  /// The next number.
  func next() -> UInt64 {
    var value = state.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// A number from 0 to below a limit, which is at least 1.
  func next(below limit: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }
}
