/// What the command line says, each value by its name.
struct Arguments {
  let verb: String
  private let options: [String]

  static let usage = """
    usage: echo-benchmark serve --listen ADDRESS [--event-loops COUNT]
           echo-benchmark call --target TARGET --case CASE --concurrency COUNT --count COUNT --payload BYTES
           echo-benchmark allocations --target TARGET --count CALLS
    """

  init() throws(Wrong) {
    guard let verb = CommandLine.arguments.dropFirst().first else { throw Wrong() }
    self.verb = verb
    options = Array(CommandLine.arguments.dropFirst(2))
  }

  subscript(name: String) -> String? {
    guard let index = options.firstIndex(of: "--\(name)") else { return nil }
    return options.dropFirst(index + 1).first
  }

  func text(_ name: String) throws(Wrong) -> String {
    guard let text = self[name] else { throw Wrong() }
    return text
  }

  func number(_ name: String) throws(Wrong) -> Int {
    guard let text = self[name], let number = Int(text), number > 0 else { throw Wrong() }
    return number
  }

  /// A command line that says nothing that can be done.
  struct Wrong: Error, CustomStringConvertible {
    var description: String { Arguments.usage }
  }
}
