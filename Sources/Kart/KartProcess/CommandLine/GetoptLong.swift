// getopt_long leaves its results in global variables, which `globals` below guards.
@preconcurrency import CLinux
import Glibc
import Synchronization

/// The binding of glibc's `getopt_long`.
enum GetoptLong {
  /// A flag that may be given.
  struct Flag {
    var name: String
    var letter: Character?
    var takesValue: Bool
  }

  /// A flag that was given: its place among the known ones, and its value.
  struct Match: Hashable {
    var flag: Int
    var value: String?
  }

  // It keeps its place in the command line in global variables.
  private static let globals = Mutex(())

  /// Tells flags from operands, which may be mixed.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the command's name.
  ///   - flags: What is known.
  ///   - stopsAtOperand: Whether everything from the first operand on is operands.
  /// - Throws: `UsageError` for a flag that is unknown or ambiguous, that lacks its value, or that has
  ///   one it does not take.
  static func parse(
    _ arguments: [String], flags: [Flag], stopsAtOperand: Bool
  ) throws(UsageError) -> (matches: [Match], operands: [String]) {
    // A colon first asks for ':' where a value is missing, and silences glibc's own messages.
    var letters = stopsAtOperand ? "+:" : ":"
    for flag in flags {
      guard let letter = flag.letter else { continue }
      letters += flag.takesValue ? "\(letter):" : "\(letter)"
    }
    // C strings that live until this call ends; getopt_long moves the pointers of `argv` about, which
    // is why they are also kept in the order of their making.
    let words = (["command"] + arguments).map { strdup($0) }
    let names = flags.map { strdup($0.name) }
    defer { (words + names).forEach { free($0) } }
    let table =
      zip(flags, names).enumerated().map { index, entry in
        option(
          name: entry.1, has_arg: entry.0.takesValue ? required_argument : no_argument, flag: nil,
          val: firstLongValue + Int32(index))
      } + [option(name: nil, has_arg: 0, flag: nil, val: 0)]
    let result = globals.withLock { _ in
      scan(words, letters: letters, table: table, flags: flags)
    }
    return try result.get()
  }

  // Above every character, so that a long flag is told from a letter.
  private static let firstLongValue: Int32 = 0x1000

  private static func scan(
    _ words: [UnsafeMutablePointer<CChar>?], letters: String, table: [option], flags: [Flag]
  ) -> Result<(matches: [Match], operands: [String]), UsageError> {
    var argv = words + [nil]
    var matches: [Match] = []
    optind = 0  // Has glibc begin anew.
    while true {
      let index = max(Int(optind), 1)
      let word = index < words.count ? argv[index].map { String(cString: $0) } ?? "" : ""
      let found = getopt_long(Int32(words.count), &argv, letters, table, nil)
      switch found {
      case -1:
        let operands = argv[Int(optind)..<words.count].map { $0.map { String(cString: $0) } ?? "" }
        return .success((matches, operands))
      case Int32(UInt8(ascii: ":")):
        return .failure(UsageError("\(spelling(optopt, flags)) needs a value"))
      case Int32(UInt8(ascii: "?")):
        return .failure(refusal(of: given(argv, before: Int(optind)) ?? word, optopt, flags))
      default:
        let value = optarg.map { String(cString: $0) }
        let place =
          found >= firstLongValue
          ? Int(found - firstLongValue)
          : flags.firstIndex { $0.letter?.asciiValue.map(Int32.init) == found }
        if let place { matches.append(Match(flag: place, value: value)) }
      }
    }
  }

  private static func given(_ argv: [UnsafeMutablePointer<CChar>?], before end: Int) -> String? {
    guard end > 0, end <= argv.count else { return nil }
    return argv[end - 1].map { String(cString: $0) }
  }

  private static func spelling(_ value: Int32, _ flags: [Flag]) -> String {
    if value >= firstLongValue, Int(value - firstLongValue) < flags.count {
      return "--\(flags[Int(value - firstLongValue)].name)"
    }
    return "-\(UnicodeScalar(UInt8(truncatingIfNeeded: value)))"
  }

  private static func refusal(of word: String, _ value: Int32, _ flags: [Flag]) -> UsageError {
    if value >= firstLongValue {
      return UsageError("\(spelling(value, flags)) takes no value")
    }
    if value != 0 {
      return UsageError("there is no option \(spelling(value, flags))")
    }
    let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
    let candidates = flags.filter { $0.name.hasPrefix(name) }.map { "--\($0.name)" }
    guard candidates.count > 1 else { return UsageError("there is no option --\(name)") }
    return UsageError(
      "--\(name) is short for more than one option: \(candidates.joined(separator: ", "))")
  }
}
