/// `OrcaLoadReportRequest`: how often a client wants to be told of a server's load.
struct LoadReportRequest: Hashable {
  /// From report to report; zero leaves it to the server.
  var interval: Duration

  init(interval: Duration) {
    self.interval = interval
  }

  /// Reads the message, whose field 1 is a `google.protobuf.Duration`; nil if it is none.
  init?(serialized bytes: [UInt8]) {
    var rest = bytes[...]
    interval = .zero
    while !rest.isEmpty {
      guard let tag = LoadReport.varint(&rest), tag & 7 == 2,
        let count = LoadReport.varint(&rest), count <= UInt64(rest.count)
      else { return nil }
      let field = rest.prefix(Int(count))
      rest = rest.dropFirst(Int(count))
      guard tag >> 3 == 1 else { continue }
      guard let value = Self.duration(field) else { return nil }
      interval = value
    }
  }

  /// The message's bytes.
  var serialized: [UInt8] {
    let (seconds, attoseconds) = interval.components
    guard seconds >= 0, attoseconds >= 0 else { return [] }
    var duration: [UInt8] = []
    for (tag, value) in [
      (UInt8(0x08), UInt64(seconds)), (0x10, UInt64(attoseconds / 1_000_000_000)),
    ]
    where value > 0 {
      duration.append(tag)
      var rest = value
      while rest >= 0x80 {
        duration.append(UInt8(rest & 0x7f | 0x80))
        rest >>= 7
      }
      duration.append(UInt8(rest))
    }
    return [0x0a, UInt8(duration.count)] + duration
  }

  private static func duration(_ bytes: ArraySlice<UInt8>) -> Duration? {
    var rest = bytes
    var duration = Duration.zero
    while !rest.isEmpty {
      guard let tag = LoadReport.varint(&rest), tag & 7 == 0, let value = LoadReport.varint(&rest),
        value < UInt64(Int32.max)
      else { return nil }
      switch tag >> 3 {
      case 1: duration += .seconds(Int64(value))
      case 2: duration += .nanoseconds(Int64(value))
      default: break
      }
    }
    return duration
  }
}
