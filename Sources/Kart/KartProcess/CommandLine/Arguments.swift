/// What a command was given.
package struct Arguments: Sendable {
  /// What is not a flag, in order.
  package var operands: [String]
  /// The texts given for each option that has any, by the option's name.
  let texts: [String: [String]]

  /// The value of an option that the command lists.
  ///
  /// - Throws: `UsageError` where the option was not given and is required. Parsing has refused that
  ///   already for the options that the command lists.
  package subscript<Value>(option: Option<Value>) -> Value {
    get throws(UsageError) {
      if let texts = texts[option.definition.name] {
        return try option.decode(texts)
      }
      guard let value = option.defaultValue else {
        throw UsageError("--\(option.definition.name) is missing")
      }
      return value
    }
  }
}
