/// Fields that a message's type does not know, as they were read: they are written back unchanged,
/// so that a program passes on what newer programs have added.
@frozen
public struct UnknownStorage: Hashable, Sendable {
  // An optional, since nil costs less to copy than an empty array.
  @usableFromInline
  var storage: [UInt8]?

  /// No fields.
  @inlinable
  @inline(__always)
  public init() {
    storage = nil
  }

  /// The fields in the binary format, tags included.
  public var data: [UInt8] { storage ?? [] }

  /// Whether there are no fields.
  public var isEmpty: Bool { storage == nil }

  /// The size of ``data``, in bytes.
  @inlinable
  @inline(__always)
  public var count: Int { storage?.count ?? 0 }

  /// Adds fields in the binary format, tags included.
  ///
  /// - Parameter bytes: whole fields; nothing checks them.
  mutating func append(_ bytes: RawSpan) {
    guard !bytes.isEmpty else { return }
    var all = storage ?? []
    storage = nil
    all.append(copying: bytes)
    storage = all
  }

  /// Adds a varint field.
  ///
  /// - Parameter value: the varint's bytes.
  mutating func append(field number: UInt32, varint value: RawSpan) {
    var all = storage ?? []
    storage = nil
    var tag = number << 3 | WireType.varint.rawValue
    while tag >= 0x80 {
      all.append(UInt8(truncatingIfNeeded: tag) | 0x80)
      tag >>= 7
    }
    all.append(UInt8(tag))
    all.append(copying: value)
    storage = all
  }
}
