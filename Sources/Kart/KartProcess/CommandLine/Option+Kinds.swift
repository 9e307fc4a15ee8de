extension Option {
  /// An option of one value, of which the last one given counts.
  ///
  /// - Parameter decode: Makes the value of its text, or returns nil where it makes none.
  package static func value(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    default defaultValue: Value? = nil,
    defaultText: String? = nil, help: String, expecting expectation: String,
    decode: @escaping @Sendable (String) -> Value?
  ) -> Option {
    var definition = OptionDefinition(
      name: name, letter: letter, placeholder: placeholder, help: help)
    definition.defaultText = defaultText ?? defaultValue.map { "\($0)" }
    return Option(definition, default: defaultValue) { (texts) throws(UsageError) in
      let text = texts.last ?? ""
      guard let value = decode(text) else {
        throw UsageError("takes \(expectation), not \"\(text)\"")
      }
      return value
    }
  }

  /// An option that may be given more than once.
  package static func list<Element: Sendable>(
    _ name: String, _ placeholder: String, default defaultValue: [Element]? = nil,
    defaultText: String? = nil, help: String, expecting expectation: String,
    decode: @escaping @Sendable (String) -> Element?
  ) -> Option where Value == [Element] {
    var definition = OptionDefinition(name: name, placeholder: placeholder, help: help)
    definition.isRepeatable = true
    if let defaultValue, !defaultValue.isEmpty {
      definition.defaultText =
        defaultText ?? defaultValue.map { "\($0)" }.joined(separator: ", ")
    }
    return Option(definition, default: defaultValue) { (texts) throws(UsageError) in
      var values: [Element] = []
      for text in texts {
        guard let value = decode(text) else {
          throw UsageError("takes \(expectation), not \"\(text)\"")
        }
        values.append(value)
      }
      return values
    }
  }
}

extension Option<String> {
  /// A text that may not be empty.
  package static func text(
    _ name: String, letter: Character? = nil, _ placeholder: String,
    default defaultValue: String? = nil,
    help: String
  ) -> Option {
    value(
      name, letter: letter, placeholder, default: defaultValue, help: help,
      expecting: "a text that is not empty"
    ) { $0.isEmpty ? nil : $0 }
  }
}

extension Option<Int> {
  /// A whole number.
  package static func integer(
    _ name: String, letter: Character? = nil, _ placeholder: String = "N",
    default defaultValue: Int? = nil, in range: ClosedRange<Int>, help: String
  ) -> Option {
    let expectation =
      range.upperBound == .max
      ? "a whole number from \(range.lowerBound) on"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return value(
      name, letter: letter, placeholder, default: defaultValue, help: help, expecting: expectation
    ) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension Option<Bool> {
  /// A switch: on when its flag is given, off when `--no-name` is.
  package static func flag(
    _ name: String, letter: Character? = nil, default defaultValue: Bool = false, help: String
  ) -> Option {
    var definition = OptionDefinition(name: name, letter: letter, placeholder: nil, help: help)
    definition.isNegatable = defaultValue
    definition.defaultText = defaultValue ? "on" : nil
    return Option(definition, default: defaultValue) { (texts) throws(UsageError) in
      switch texts.last?.lowercased() {
      case "1", "true", "yes", "on": return true
      case "0", "false", "no", "off": return false
      case let text: throw UsageError("takes true or false, not \"\(text ?? "")\"")
      }
    }
  }
}

extension Option<Duration> {
  /// A length of time, such as `500ms`, `2s`, `1.5m` or `1h`.
  ///
  /// - Parameter isPositive: Whether none at all is refused.
  package static func duration(
    _ name: String, default defaultValue: Duration? = nil, isPositive: Bool = false, help: String
  ) -> Option {
    let expectation = "a length of time such as 500ms, 2s, 5m or 1h"
    return value(
      name, "DURATION", default: defaultValue, defaultText: defaultValue?.optionText, help: help,
      expecting: isPositive ? "\(expectation), and not 0" : expectation
    ) { text in
      Duration(optionText: text).flatMap { $0 == .zero && isPositive ? nil : $0 }
    }
  }
}

extension Option where Value: CaseIterable & RawRepresentable<String> {
  /// One of a few words.
  package static func choice(
    _ name: String, default defaultValue: Value? = nil, help: String
  ) -> Option {
    let words = Value.allCases.map(\.rawValue)
    return value(
      name, words.joined(separator: "|"), default: defaultValue,
      defaultText: defaultValue?.rawValue,
      help: help, expecting: words.joined(separator: " or "), decode: Value.init(rawValue:))
  }
}
