/// A command of the command line: its options and operands and what it does, or the commands it holds.
package struct Command: Sendable {
  /// A word that the command takes besides its options.
  package struct Operand: Sendable {
    /// What the help calls it, in capitals.
    package var name: String
    /// A sentence for the help.
    package var help: String
    /// Whether it may be left out. Only the last ones may.
    package var isOptional: Bool

    package init(_ name: String, help: String, isOptional: Bool = false) {
      self.name = name
      self.help = help
      self.isOptional = isOptional
    }
  }

  /// The word that runs it, after those of the commands that hold it.
  package var name: String
  /// One sentence for the help.
  package var summary: String
  /// More for its own help: examples, what it prints.
  package var discussion = ""
  package var options: [any AnyOption] = []
  package var operands: [Operand] = []
  /// The commands that it holds. One that holds any does nothing itself.
  package var subcommands: [Command] = []
  /// What it does. It returns when it is done. A `UsageError` that it throws makes the exit status 2, another error 1.
  package var run: @Sendable (Arguments) async throws -> Void = { _ in }

  package init(name: String, summary: String) {
    self.name = name
    self.summary = summary
  }

  /// A command line that was understood.
  package enum Invocation: Sendable {
    case run(Command, Arguments)
    /// What was asked for is a text: the help, or the version.
    case answer(String)
  }

  /// Understands a command line.
  ///
  /// - Parameters:
  ///   - arguments: The words after the command's own name.
  ///   - environment: The environment variables.
  /// - Throws: `UsageError`, with the command's whole name first.
  package func parse(
    _ arguments: [String], environment: [String: String]
  ) throws(UsageError) -> Invocation {
    try parse(arguments, environment: environment, path: name)
  }

  private func parse(
    _ arguments: [String], environment: [String: String], path: String
  ) throws(UsageError) -> Invocation {
    let step: Step
    do {
      step = try understand(arguments, environment: environment, path: path)
    } catch {
      // What others say of a value may be a sentence of its own.
      let problem =
        error.description.hasSuffix(".") ? error.description.dropLast() : error.description[...]
      throw UsageError("\(path): \(problem); see \(path) --help")
    }
    switch step {
    case .done(let invocation):
      return invocation
    case .descend(let command, let rest):
      return try command.parse(
        rest, environment: environment, path: "\(path) \(command.name)")
    }
  }

  private enum Step {
    case done(Invocation)
    case descend(Command, rest: [String])
  }

  private func understand(
    _ arguments: [String], environment: [String: String], path: String
  ) throws(UsageError) -> Step {
    let (texts, operands, question) = try readFlags(arguments)
    switch question {
    case .help: return .done(.answer(help(path: path)))
    case .version: return .done(.answer("\(name) \(SwiftKartVersion.text)\n"))
    case nil: break
    }
    guard subcommands.isEmpty else {
      guard let word = operands.first else {
        throw UsageError("name a command: \(subcommandNames)")
      }
      guard let command = subcommands.first(where: { $0.name == word }) else {
        throw UsageError("there is no command \"\(word)\"; it is one of \(subcommandNames)")
      }
      return .descend(command, rest: Array(operands.dropFirst()))
    }
    try check(operands)
    let complete = try complete(texts, environment: environment)
    return .done(.run(self, Arguments(operands: operands, texts: complete)))
  }

  private var subcommandNames: String {
    subcommands.map(\.name).joined(separator: ", ")
  }

  /// What every command answers instead of running.
  private enum Question: CaseIterable {
    case help
    case version

    var flag: GetoptLong.Flag {
      switch self {
      case .help: .init(name: "help", letter: "h", takesValue: false)
      case .version: .init(name: "version", letter: nil, takesValue: false)
      }
    }
  }

  private func readFlags(
    _ arguments: [String]
  ) throws(UsageError) -> (texts: [String: [String]], operands: [String], question: Question?) {
    let questions = Question.allCases
    var flags = questions.map(\.flag)
    // What each flag after those says of its option: the name, and the text where it takes no value.
    var meanings: [(name: String, text: String?)] = []
    for definition in options.map(\.definition) {
      let isSwitch = definition.placeholder == nil
      flags.append(
        .init(name: definition.name, letter: definition.letter, takesValue: !isSwitch))
      meanings.append((definition.name, isSwitch ? "true" : nil))
      if isSwitch {
        flags.append(.init(name: "no-\(definition.name)", letter: nil, takesValue: false))
        meanings.append((definition.name, "false"))
      }
    }
    let (matches, operands) = try GetoptLong.parse(
      arguments, flags: flags, stopsAtOperand: !subcommands.isEmpty)
    var texts: [String: [String]] = [:]
    for match in matches {
      if questions.indices.contains(match.flag) { return (texts, operands, questions[match.flag]) }
      let meaning = meanings[match.flag - questions.count]
      texts[meaning.name, default: []].append(match.value ?? meaning.text ?? "")
    }
    return (texts, operands, nil)
  }

  // Adds what the environment gives, and checks every option, so that `run` meets no usage error.
  private func complete(
    _ given: [String: [String]], environment: [String: String]
  ) throws(UsageError) -> [String: [String]] {
    var texts = given
    for option in options {
      let definition = option.definition
      var source = "--\(definition.name)"
      if texts[definition.name] == nil, let text = environment[definition.variable], !text.isEmpty {
        source = definition.variable
        texts[definition.name] =
          definition.isRepeatable ? text.split(separator: ",").map(String.init) : [text]
      } else if texts[definition.name] == nil, let substitute = definition.substitute,
        let given = environment[substitute.variable], !given.isEmpty
      {
        guard let text = substitute.text(given) else {
          throw UsageError(
            "\(substitute.variable) takes \(substitute.expectation), not \"\(given)\"")
        }
        texts[definition.name] = [text]
      }
      guard let given = texts[definition.name] else {
        guard option.isRequired else { continue }
        throw UsageError("--\(definition.name) (or \(definition.variable)) is missing")
      }
      do {
        try option.validate(given)
      } catch {
        throw UsageError("\(source) \(error)")
      }
    }
    return texts
  }

  private func check(_ operands: [String]) throws(UsageError) {
    if operands.count > self.operands.count {
      throw UsageError("\"\(operands[self.operands.count])\" is one word too many")
    }
    if operands.count < self.operands.count, !self.operands[operands.count].isOptional {
      throw UsageError("\(self.operands[operands.count].name) is missing")
    }
  }
}
