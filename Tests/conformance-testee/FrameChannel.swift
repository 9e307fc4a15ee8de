import Glibc

/// The frames that a testee and its runner exchange over standard input and output: a length of
/// four bytes, least significant first, and as many bytes.
struct FrameChannel {
  /// Reads a frame; nil at the end of the input.
  func read() throws(FrameError) -> [UInt8]? {
    guard let head = try read(count: 4) else { return nil }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let frame = try read(count: length) else { throw .truncated }
    return frame
  }

  /// Writes a frame.
  func write(_ frame: [UInt8]) throws(FrameError) {
    let length = UInt32(truncatingIfNeeded: frame.count)
    let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
    try write(all: head + frame)
  }

  /// Reads exactly `count` bytes; nil if the input ends before the first.
  private func read(count: Int) throws(FrameError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress! + done, count - done) }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw .system(errno) }
      if got == 0 {
        if done == 0 { return nil }
        throw .truncated
      }
      done += got
    }
    return bytes
  }

  private func write(all bytes: [UInt8]) throws(FrameError) {
    var done = 0
    while done < bytes.count {
      let put = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress! + done, bytes.count - done) }
      if put < 0, errno == EINTR { continue }
      if put < 0 { throw .system(errno) }
      done += put
    }
  }
}

/// Why frames can't be exchanged any more.
enum FrameError: Error {
  /// The input ended inside of a frame.
  case truncated
  /// The system refused, for the reason `errno` gives.
  case system(Int32)
}
