/// A growing block of bytes to be written to a socket.
///
/// The memory belongs to the object and is freed with it; nobody keeps a pointer into it.
final class OutputBuffer {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit {
    memory.deallocate()
  }

  /// The bytes; the pointer is valid until the next change.
  var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory, count: count)
  }

  func removeAll() {
    count = 0
  }

  /// Adds room for `size` bytes and returns where they are to be written.
  func extend(by size: Int) -> UnsafeMutableRawPointer {
    if count + size > capacity { grow(to: count + size) }
    defer { count += size }
    return memory + count
  }

  func append(_ bytes: UnsafePointer<UInt8>, _ size: Int) {
    extend(by: size).copyMemory(from: bytes, byteCount: size)
  }

  private func grow(to needed: Int) {
    capacity = max(needed, 2 * capacity)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }
}
