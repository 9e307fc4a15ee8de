import CNghttp2

/// A header block to be sent, as nghttp2 takes it.
///
/// `@unchecked Sendable` holds because the pointers inside are of static strings; other names and
/// values are in `bytes`, and found by their offsets when the list is used.
struct HeaderList: @unchecked Sendable {
  private struct Dynamic {
    var field: Int
    var nameOffset: Int?
    var valueOffset: Int
  }

  private var fields: [nghttp2_nv] = []
  private var dynamic: [Dynamic] = []
  private var bytes: [UInt8] = []

  /// The list's size as RFC 9113 counts it, in section 6.5.2.
  var size: Int { fields.reduce(0) { $0 + $1.namelen + $1.valuelen + 32 } }

  init() {}

  /// A place in the list, between two fields.
  struct End {
    fileprivate var fields: Int
    fileprivate var dynamic: Int
    fileprivate var bytes: Int
  }

  var end: End { End(fields: fields.count, dynamic: dynamic.count, bytes: bytes.count) }

  /// Removes what was added since the list ended there.
  mutating func removeAll(after end: End) {
    fields.removeSubrange(end.fields...)
    dynamic.removeSubrange(end.dynamic...)
    bytes.removeSubrange(end.bytes...)
  }

  mutating func removeAll() {
    fields.removeAll(keepingCapacity: true)
    dynamic.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a field that is known when the program is built; nghttp2 does not copy it.
  mutating func append(_ name: StaticString, _ value: StaticString) {
    fields.append(
      nghttp2_nv(
        name: Self.pointer(name), value: Self.pointer(value), namelen: name.utf8CodeUnitCount,
        valuelen: value.utf8CodeUnitCount,
        flags: Self.noCopyName | UInt8(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)))
  }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - value: Its value.
  ///   - recurs: Whether other lists are likely to have the same field, so that it is worth a place in
  ///     HPACK's table, where it takes that of others.
  mutating func append(
    _ name: StaticString, _ value: some Sequence<UInt8>, recurs: Bool = true
  ) {
    let start = bytes.count
    bytes.append(contentsOf: value)
    dynamic.append(Dynamic(field: fields.count, nameOffset: nil, valueOffset: start))
    fields.append(
      nghttp2_nv(
        name: Self.pointer(name), value: nil, namelen: name.utf8CodeUnitCount,
        valuelen: bytes.count - start,
        flags: Self.noCopyName | (recurs ? 0 : UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue))))
  }

  mutating func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: name)
    let middle = bytes.count
    bytes.append(contentsOf: value)
    dynamic.append(Dynamic(field: fields.count, nameOffset: start, valueOffset: middle))
    fields.append(
      nghttp2_nv(
        name: nil, value: nil, namelen: middle - start, valuelen: bytes.count - middle, flags: 0))
  }

  /// Gives the fields to nghttp2, which copies what is not static before the call returns.
  func withFields<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
    if dynamic.isEmpty {
      return fields.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
    return withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { copies in
      _ = copies.initialize(from: fields)
      return bytes.withUnsafeBufferPointer { bytes in
        // nghttp2 takes mutable pointers and does not write through them.
        let base = UnsafeMutablePointer(mutating: bytes.baseAddress)
        for item in dynamic {
          if let offset = item.nameOffset { copies[item.field].name = base.map { $0 + offset } }
          copies[item.field].value = base.map { $0 + item.valueOffset }
        }
        return body(copies.baseAddress, copies.count)
      }
    }
  }

  private static let noCopyName = UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)

  private static func pointer(_ text: StaticString) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutablePointer(mutating: text.utf8Start)
  }
}
