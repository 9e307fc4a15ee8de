/// A channel's subchannels by their identifiers: a place in an array, and a generation that tells its owners
/// apart.
struct SubchannelTable {
  private var slots: [Subchannel?] = []
  private var free: [Int] = []
  private var generation: UInt32 = 0

  /// Adds the subchannel that is made for a new identifier.
  mutating func insert(_ make: (SubchannelID) -> Subchannel) -> Subchannel {
    generation &+= 1
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    let subchannel = make(SubchannelID(slot: slot, generation: generation))
    slots[slot] = subchannel
    return subchannel
  }

  mutating func remove(_ id: SubchannelID) {
    guard self[id] != nil else { return }
    slots[id.slot] = nil
    free.append(id.slot)
  }

  subscript(id: SubchannelID) -> Subchannel? {
    guard id.slot < slots.count, let subchannel = slots[id.slot], subchannel.id == id else {
      return nil
    }
    return subchannel
  }
}
