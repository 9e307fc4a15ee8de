/// An option of a command: a flag `--some-name` that is also an environment variable `KART_SOME_NAME`.
/// The flag goes before the variable, and either before the default.
package struct Option<Value: Sendable>: Sendable {
  /// What the option is called and how it is explained.
  package var definition: OptionDefinition
  /// What holds where neither the flag nor the variable is given; nil makes the option required.
  package var defaultValue: Value?
  let decode: @Sendable (_ texts: [String]) throws(UsageError) -> Value

  /// An option of a kind of its own; the usual kinds have functions in `Option+Kinds.swift`.
  ///
  /// - Parameters:
  ///   - definition: What the option is called and how it is explained.
  ///   - defaultValue: What holds where it is not given; nil makes the option required.
  ///   - decode: Makes the value of the texts given, of which there is at least one. Its error
  ///     follows the option's name in a sentence.
  package init(
    _ definition: OptionDefinition, default defaultValue: Value? = nil,
    decode: @escaping @Sendable (_ texts: [String]) throws(UsageError) -> Value
  ) {
    self.definition = definition
    self.defaultValue = defaultValue
    self.decode = decode
  }
}

extension Option {
  /// The option without a need to give it: nil where it is not given.
  package var optional: Option<Value?> {
    Option<Value?>(definition, default: .some(defaultValue)) {
      [decode] (texts) throws(UsageError) in
      try decode(texts)
    }
  }
}

/// What an option is called and how it is explained.
package struct OptionDefinition: Sendable {
  /// The flag without its dashes.
  package var name: String
  /// A single letter for the same flag.
  package var letter: Character?
  /// What the help shows for the value; nil for a switch, which takes none.
  package var placeholder: String?
  /// Whether the flag may be given more than once. In the variable, commas part the values.
  package var isRepeatable = false
  /// Whether `--no-name` turns the switch off.
  package var isNegatable = false
  /// A sentence or two for the help, without the default.
  package var help: String
  /// How the help shows the default.
  package var defaultText: String?
  /// Another variable, which gives the option where neither its flag nor its own variable does.
  package var substitute: OptionSubstitute?

  package init(name: String, letter: Character? = nil, placeholder: String?, help: String) {
    self.name = name
    self.letter = letter
    self.placeholder = placeholder
    self.help = help
  }

  /// The environment variable that gives the option.
  package var variable: String {
    "KART_" + name.uppercased().replacing("-", with: "_")
  }
}

/// An environment variable of someone else's making that says what an option would say.
package struct OptionSubstitute: Sendable {
  /// The variable.
  package var variable: String
  /// What the variable takes, for the sentence that refuses another text.
  package var expectation: String
  /// Makes the option's text of the variable's, or returns nil where it makes none.
  package var text: @Sendable (String) -> String?

  /// `PORT`, by which platforms such as Cloud Run tell where to listen.
  package static let port = OptionSubstitute(
    variable: "PORT", expectation: "a port from 1 to 65535"
  ) { text in
    UInt16(text).flatMap { $0 > 0 ? "ipv4:0.0.0.0:\($0)" : nil }
  }
}

/// An option of whatever value, as a command lists them.
package protocol AnyOption: Sendable {
  /// What the option is called and how it is explained.
  var definition: OptionDefinition { get }

  /// Whether the option must be given.
  var isRequired: Bool { get }

  /// Throws where the texts make no value.
  func validate(_ texts: [String]) throws(UsageError)
}

extension Option: AnyOption {
  package var isRequired: Bool {
    defaultValue == nil
  }

  package func validate(_ texts: [String]) throws(UsageError) {
    _ = try decode(texts)
  }
}
