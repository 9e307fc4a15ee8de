import CNghttp2
import EventLoop
import Glibc

/// Memory for the nghttp2 sessions of one loop: blocks of a few sizes, which go from one call to the next without
/// a detour through the heap.
///
/// A call makes nghttp2 allocate and free some nine small blocks. The sessions of a loop are used and freed on the
/// loop alone, so there is no lock.
final class SessionMemory {
  /// What precedes a block: the size class, in units, that it goes back to; 0 if it is the heap's.
  private static let headerSize = 16
  /// The classes are the multiples of this.
  private static let unit = 32
  /// Larger blocks are the heap's.
  private static let largest = 1024
  private static let slabSize = 32 << 10

  /// The first free block of each class, each of which begins with the address of the next. Behind a pointer, since
  /// an array that is a property costs a check for exclusive access each time, which is most of what a block costs.
  private let free: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var slabs: [UnsafeMutableRawPointer] = []
  /// What is left of the newest slab.
  private var rest = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init() {
    let count = Self.largest / Self.unit + 1
    free = .allocate(capacity: count)
    free.initialize(repeating: nil, count: count)
  }

  deinit {
    free.deallocate()
    // The sessions, which hold this object, are gone, and their blocks with them.
    for slab in slabs { slab.deallocate() }
  }

  /// The memory of a loop. Only on the loop.
  static func of(_ loop: EventLoop) -> SessionMemory {
    loop.attachment(SessionMemory.self) { SessionMemory() }
  }

  /// The functions as nghttp2 wants them, which find this object by its address: it must be held for as long as the
  /// session lives.
  var functions: nghttp2_mem {
    nghttp2_mem(
      mem_user_data: Unmanaged.passUnretained(self).toOpaque(),
      malloc: { size, memory in SessionMemory.at(memory) { $0.allocate(size) } },
      free: { block, memory in _ = SessionMemory.at(memory) { $0.free(block) } },
      calloc: { count, size, memory in
        let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow, let block = SessionMemory.at(memory, { $0.allocate(bytes) }) else {
          return nil
        }
        memset(block, 0, bytes)
        return block
      },
      realloc: { block, size, memory in
        SessionMemory.at(memory) { $0.reallocate(block, size) }
      })
  }

  // Without counting a reference: the session that asks holds one.
  @inline(__always)
  private static func at<Result>(
    _ pointer: UnsafeMutableRawPointer?, _ body: (SessionMemory) -> Result?
  ) -> Result? {
    guard let pointer else { return nil }
    return Unmanaged<SessionMemory>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  private func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let index = (size + Self.headerSize + Self.unit - 1) / Self.unit
    guard index * Self.unit <= Self.largest else {
      guard let base = malloc(size + Self.headerSize) else { return nil }
      base.storeBytes(of: 0, as: Int.self)
      return base + Self.headerSize
    }
    if let block = free[index] {
      free[index] = block.load(as: UnsafeMutableRawPointer?.self)
      return block
    }
    let base = carve(index * Self.unit)
    base.storeBytes(of: index, as: Int.self)
    return base + Self.headerSize
  }

  private func free(_ block: UnsafeMutableRawPointer?) {
    guard let block else { return }
    let index = (block - Self.headerSize).load(as: Int.self)
    guard index > 0 else { return Glibc.free(block - Self.headerSize) }
    block.storeBytes(of: free[index], as: UnsafeMutableRawPointer?.self)
    free[index] = block
  }

  private func reallocate(
    _ block: UnsafeMutableRawPointer?, _ size: Int
  ) -> UnsafeMutableRawPointer? {
    guard let block else { return allocate(size) }
    let base = block - Self.headerSize
    let index = base.load(as: Int.self)
    if index == 0, size + Self.headerSize > Self.largest {
      guard let base = realloc(base, size + Self.headerSize) else { return nil }
      return base + Self.headerSize
    }
    // A block of the heap that shrinks below the largest class had at least as much.
    let capacity = (index == 0 ? Self.largest : index * Self.unit) - Self.headerSize
    if index > 0, size <= capacity { return block }
    guard let moved = allocate(size) else { return nil }
    moved.copyMemory(from: block, byteCount: min(size, capacity))
    free(block)
    return moved
  }

  private func carve(_ size: Int) -> UnsafeMutableRawPointer {
    if rest.count < size {
      let slab = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.slabSize, alignment: 16)
      if let start = slab.baseAddress { slabs.append(start) }
      rest = slab
    }
    defer { rest = UnsafeMutableRawBufferPointer(rebasing: rest[size...]) }
    // A slab is never empty, so it has an address.
    return rest.baseAddress.unsafelyUnwrapped
  }
}
