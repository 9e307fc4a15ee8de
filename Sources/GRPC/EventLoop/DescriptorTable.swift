/// A registered descriptor; made by ``EventLoop/register(_:for:edgeTriggered:handler:)``.
public struct DescriptorRegistration: Hashable, Sendable {
  /// The descriptor.
  public let descriptor: Int32
  let slot: UInt32
  let generation: UInt32

  /// What epoll carries along, from which ``DescriptorTable`` finds the handler again.
  var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// The handlers of a loop's descriptors.
///
/// A slot's generation grows with every use, so that an event that was already fetched when its
/// descriptor was deregistered finds nobody instead of the slot's next owner.
struct DescriptorTable {
  private struct Slot {
    var generation: UInt32
    var handler: (any DescriptorHandler)?
  }

  /// Slot 0 is never handed out: token 0 is the loop's own wake-up descriptor.
  private var slots = [Slot(generation: 0, handler: nil)]
  private var free: [UInt32] = []

  mutating func insert(
    _ descriptor: Int32, _ handler: any DescriptorHandler
  ) -> DescriptorRegistration {
    if let slot = free.popLast() {
      slots[Int(slot)].handler = handler
      return DescriptorRegistration(
        descriptor: descriptor, slot: slot, generation: slots[Int(slot)].generation)
    }
    slots.append(Slot(generation: 0, handler: handler))
    return DescriptorRegistration(
      descriptor: descriptor, slot: UInt32(slots.count - 1), generation: 0)
  }

  mutating func remove(_ registration: DescriptorRegistration) -> Bool {
    let slot = Int(registration.slot)
    guard slots[slot].generation == registration.generation, slots[slot].handler != nil else {
      return false
    }
    slots[slot].handler = nil
    slots[slot].generation &+= 1
    free.append(registration.slot)
    return true
  }

  func handler(token: UInt64) -> (any DescriptorHandler)? {
    let slot = slots[Int(token & 0xffff_ffff)]
    return slot.generation == UInt32(token >> 32) ? slot.handler : nil
  }
}
