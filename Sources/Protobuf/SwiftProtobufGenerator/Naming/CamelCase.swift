/// Turns identifiers of .proto files into Swift's camel case.
///
/// A segment ends at an underscore, before a run of digits or upper-case letters, and between digits
/// and letters; `id`, `url`, `http` and `https` are written in capitals except at the start of a
/// lowerCamelCase name.
enum CamelCase {
  private static let abbreviations: Set<String> = ["url", "http", "https", "id"]

  private enum Kind {
    case digit, lower, upper, underscore, other

    init(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "0"..."9": self = .digit
      case "a"..."z": self = .lower
      case "A"..."Z": self = .upper
      case "_": self = .underscore
      default: self = .other
      }
    }
  }

  static func transform(_ name: String, startsUpper: Bool) -> String {
    var result = ""
    var segment = ""
    var last: Kind?

    func endSegment() {
      guard !segment.isEmpty else { return }
      if result.isEmpty, !startsUpper {
        result = segment
      } else if abbreviations.contains(segment) {
        result += segment.uppercased()
      } else {
        result += capitalized(segment)
      }
      segment = ""
    }

    for scalar in name.unicodeScalars {
      let kind = Kind(scalar)
      switch kind {
      case .digit:
        if last != .digit { endSegment() }
        // No identifier starts with a digit.
        if result.isEmpty, segment.isEmpty { result = "_" }
        segment.unicodeScalars.append(scalar)
      case .upper:
        if last != .upper { endSegment() }
        segment += String(scalar).lowercased()
      case .lower:
        if last != .lower, last != .upper { endSegment() }
        segment.unicodeScalars.append(scalar)
      case .underscore:
        endSegment()
        if last == .underscore { result += "_" }
      case .other:
        endSegment()
        segment.unicodeScalars.append(scalar)
      }
      last = kind
    }
    endSegment()
    if last == .underscore { result += "_" }
    return result
  }

  /// The name with its first letter in upper case.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
