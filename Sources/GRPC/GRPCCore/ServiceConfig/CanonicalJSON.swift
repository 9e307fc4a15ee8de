/// A duration in protobuf's canonical JSON: `1.5s`.
struct JSONDuration: Codable, Hashable {
  var duration: Duration

  init(_ duration: Duration) {
    self.duration = duration
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let duration = Duration(canonicalJSON: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text)” is no duration as “1.5s”.")
    }
    self.duration = duration
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(duration.canonicalJSON)
  }
}

extension Duration {
  /// Reads a duration such as `1.5s`, with at most nine decimal places.
  package init?(canonicalJSON text: String) {
    guard text.hasSuffix("s") else { return nil }
    let isNegative = text.hasPrefix("-")
    let parts = text.dropLast().dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let whole = parts.first, !whole.isEmpty,
      parts.allSatisfy({ $0.utf8.allSatisfy(digits.contains) }),
      let seconds = Int64(whole), seconds <= 315_576_000_000
    else { return nil }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      guard (1...9).contains(parts[1].utf8.count),
        let fraction = Int64(parts[1] + String(repeating: "0", count: 9 - parts[1].utf8.count))
      else { return nil }
      nanoseconds = fraction
    }
    self = .seconds(seconds) + .nanoseconds(nanoseconds)
    if isNegative { self = .zero - self }
  }

  /// The duration as `1.5s`.
  package var canonicalJSON: String {
    let (seconds, attoseconds) = components
    let nanoseconds = (attoseconds / 1_000_000_000).magnitude
    let sign = self < .zero ? "-" : ""
    guard nanoseconds > 0 else { return "\(sign)\(seconds.magnitude)s" }
    var fraction = String(nanoseconds)
    fraction = String(repeating: "0", count: 9 - fraction.utf8.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(sign)\(seconds.magnitude).\(fraction)s"
  }
}

/// A status code in a service config: its name or its number.
struct JSONStatusCode: Codable {
  var code: Status.Code

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self), let code = Status.Code(rawValue: number) {
      self.code = code
      return
    }
    let name = try? container.decode(String.self).uppercased()
    guard
      let code = (0...16).compactMap({ Status.Code(rawValue: $0) }).first(where: {
        $0.description == name
      })
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "A status code is written as “UNAVAILABLE” or as 14.")
    }
    self.code = code
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(code.description)
  }

  init(_ code: Status.Code) {
    self.code = code
  }

  static func list(_ codes: Set<Status.Code>) -> [JSONStatusCode] {
    codes.sorted { $0.rawValue < $1.rawValue }.map { JSONStatusCode($0) }
  }
}

/// A number in protobuf's canonical JSON, which may be written as a text.
struct JSONUInt32: Decodable {
  var value: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let number =
      (try? container.decode(UInt32.self)) ?? (try? UInt32(container.decode(String.self)))
    guard let number else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "A size in bytes is a number from 0 to \(UInt32.max).")
    }
    value = Int(number)
  }
}

extension KeyedDecodingContainer {
  /// Throws that a field is not as it must be.
  func require(_ condition: Bool, _ key: Key, _ requirement: String) throws {
    guard !condition else { return }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "“\(key.stringValue)” \(requirement).")
  }
}
