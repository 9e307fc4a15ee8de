import GRPCCore

/// Makes metadata of header fields, and makes it once for as long as a client sends the same.
///
/// What a client sends besides the call's own fields, its `user-agent` first of all, mostly is the
/// same for all its calls. HPACK saves its bytes on the wire; this saves the strings.
struct MetadataMemo {
  /// Each field as two lengths and the bytes.
  private var fields: [UInt8] = []
  private var latestFields: [UInt8] = []
  private var latest = Metadata()
  private var malformedKey: String?

  mutating func removeAll() {
    fields.removeAll(keepingCapacity: true)
  }

  mutating func add(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) {
    withUnsafeBytes(of: (UInt32(name.count), UInt32(value.count))) {
      fields.append(contentsOf: $0)
    }
    fields.append(contentsOf: name)
    fields.append(contentsOf: value)
  }

  /// The metadata of the fields that were added, and the key of one that is not what it should be.
  mutating func metadata() -> (metadata: Metadata, malformedKey: String?) {
    if fields == latestFields { return (latest, malformedKey) }
    latest = Metadata()
    malformedKey = nil
    fields.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while rest.count >= 8 {
        let sizes = UnsafeRawBufferPointer(rebasing: rest)
          .loadUnaligned(as: (UInt32, UInt32).self)
        rest = rest.dropFirst(8)
        let name = rest.prefix(Int(sizes.0))
        let value = rest.dropFirst(name.count).prefix(Int(sizes.1))
        rest = rest.dropFirst(name.count + value.count)
        let isGood = latest.addField(
          name: UnsafeRawBufferPointer(rebasing: name).assumingMemoryBound(to: UInt8.self),
          value: UnsafeRawBufferPointer(rebasing: value).assumingMemoryBound(to: UInt8.self))
        if !isGood { malformedKey = String(decoding: name, as: UTF8.self) }
      }
    }
    swap(&fields, &latestFields)
    return (latest, malformedKey)
  }
}
