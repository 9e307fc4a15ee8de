/// Names one subchannel of a channel.
///
/// An identifier is never used again for another subchannel of the same channel.
public struct SubchannelID: RawRepresentable, Hashable, Sendable {
  /// The slot in the lower and the generation in the upper 32 bits.
  public let rawValue: UInt64

  /// Makes an identifier from its number. The channel makes them; tests of a policy may too.
  ///
  /// - Parameter rawValue: The identifier's number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(slot: Int, generation: UInt32) {
    self.rawValue = UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
  }

  /// Where the channel keeps the subchannel, so that a pick finds it without hashing.
  var slot: Int { Int(rawValue & 0xffff_ffff) }
}
