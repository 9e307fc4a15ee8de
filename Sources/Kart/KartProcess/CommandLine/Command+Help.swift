extension Command {
  /// The text of `--help`: usage, what it does, its commands or operands, its options.
  ///
  /// - Parameter path: The words that run the command.
  package func help(path: String) -> String {
    var blocks = [usage(path: path), wrapped(summary, indent: 0)]
    if !discussion.isEmpty {
      blocks.append(discussion)
    }
    if !subcommands.isEmpty {
      let rows = subcommands.map { ($0.name, $0.summary) }
      blocks.append(section("Commands", rows))
    }
    if !operands.isEmpty {
      blocks.append(section("Operands", operands.map { ($0.name, $0.help) }))
    }
    let questions = [("-h, --help", "Shows this."), ("--version", "Shows the version.")]
    let rows = options.map { row(for: $0) } + questions
    blocks.append(section("Options", rows))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func usage(path: String) -> String {
    var words = ["Usage:", path]
    if !options.isEmpty { words.append("[OPTION]...") }
    if !subcommands.isEmpty { words.append("COMMAND ...") }
    words += operands.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    return words.joined(separator: " ")
  }

  private func row(for option: any AnyOption) -> (String, String) {
    let definition = option.definition
    var flag = definition.letter.map { "-\($0), " } ?? ""
    flag += definition.isNegatable ? "--[no-]\(definition.name)" : "--\(definition.name)"
    if let placeholder = definition.placeholder {
      flag += " \(placeholder)"
    }
    var help = definition.help
    if definition.isRepeatable {
      help += " May be given more than once."
    }
    if let text = definition.defaultText {
      help += " Default: \(text)."
    } else if option.isRequired {
      help += " Required."
    }
    let variables = [definition.variable] + (definition.substitute.map { [$0.variable] } ?? [])
    return (flag, "\(help) [\(variables.joined(separator: ", else "))]")
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    let widest = rows.map(\.0.count).max() ?? 0
    let indent = min(widest, 28) + 4
    let lines = rows.map { name, text in
      let paragraph = wrapped(text, indent: indent)
      let gap = indent - 2 - name.count
      return gap >= 2
        ? "  \(name)\(String(repeating: " ", count: gap))\(paragraph.dropFirst(indent))"
        : "  \(name)\n\(paragraph)"
    }
    return "\(title):\n" + lines.joined(separator: "\n")
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > 100 {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? "\(word)" : " \(word)"
    }
    lines.append(margin + line)
    return lines.joined(separator: "\n")
  }
}
