/// Bytes in contiguous memory, as transports carry messages.
public protocol GRPCContiguousBytes {
  /// Creates `count` copies of a byte.
  ///
  /// - Parameters:
  ///   - byte: The byte to repeat.
  ///   - count: How often.
  init(repeating byte: UInt8, count: Int)

  /// Creates a copy of a sequence of bytes.
  ///
  /// - Parameter sequence: The bytes.
  init(_ sequence: some Sequence<UInt8>)

  /// How many bytes there are.
  var count: Int { get }

  /// Calls a closure with the bytes, which must not outlive the call.
  ///
  /// - Parameter body: What to do with the bytes.
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R

  /// Calls a closure with the bytes to change, which must not outlive the call.
  ///
  /// - Parameter body: What to do with the bytes.
  mutating func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) rethrows -> R
}

extension [UInt8]: GRPCContiguousBytes {}
