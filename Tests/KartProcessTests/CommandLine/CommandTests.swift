import Glibc
import Synchronization
import Testing

@testable import KartProcess

@Suite struct CommandTests {
  enum Shade: String, CaseIterable { case light, dark }

  static let name = Option.text("name", letter: "n", "TEXT", help: "A name.")
  static let count = Option.integer("count", default: 3, in: 1...9, help: "How many.")
  static let wait = Option.duration("wait-time", default: .seconds(90), help: "How long.")
  static let shade = Option<Shade>.choice("shade", default: .light, help: "Which.")
  static let quiet = Option.flag("quiet", letter: "q", help: "Says less.")
  static let demo = Option.flag("demo", default: true, help: "Shows off.")
  static let tags = Option<[String]>.list(
    "tag", "TAG", default: [], help: "Marks it.", expecting: "a tag"
  ) { $0.isEmpty ? nil : $0 }

  static var command: Command {
    var command = Command(name: "kart-test", summary: "Tests.")
    command.options = [name, count, wait, shade, quiet, demo, tags]
    command.operands = [
      .init("FILE", help: "What to read."), .init("OTHER", help: "More.", isOptional: true),
    ]
    return command
  }

  private func parse(
    _ line: String, _ environment: [String: String] = [:]
  ) throws -> Arguments {
    let words = line.split(separator: " ").map(String.init)
    guard case .run(_, let arguments) = try Self.command.parse(words, environment: environment)
    else {
      throw UsageError("the help was asked for")
    }
    return arguments
  }

  @Test func flagsAndOperandsMayBeMixed() throws {
    let arguments = try parse(
      "one --name=Monty -q two --count 4 --tag a --no-demo --tag b --shade dark")
    #expect(arguments.operands == ["one", "two"])
    #expect(try arguments[Self.name] == "Monty")
    #expect(try arguments[Self.count] == 4)
    #expect(try arguments[Self.quiet])
    #expect(try !arguments[Self.demo])
    #expect(try arguments[Self.tags] == ["a", "b"])
    #expect(try arguments[Self.shade] == .dark)
  }

  @Test func defaultsHoldWhereNothingIsGiven() throws {
    let arguments = try parse("-nMonty file")
    #expect(try arguments[Self.count] == 3)
    #expect(try arguments[Self.wait] == .seconds(90))
    #expect(try arguments[Self.shade] == .light)
    #expect(try !arguments[Self.quiet])
    #expect(try arguments[Self.demo])
    #expect(try arguments[Self.tags] == [])
  }

  @Test func aFlagGoesBeforeItsVariableAndAVariableBeforeTheDefault() throws {
    let environment = [
      "KART_NAME": "Pepper", "KART_COUNT": "5", "KART_WAIT_TIME": "", "KART_TAG": "x,y",
      "KART_DEMO": "no",
    ]
    let arguments = try parse("file --count 6 --name Duke --name Kiko", environment)
    #expect(try arguments[Self.name] == "Kiko")
    #expect(try arguments[Self.count] == 6)
    #expect(try arguments[Self.wait] == .seconds(90))
    #expect(try arguments[Self.tags] == ["x", "y"])
    #expect(try !arguments[Self.demo])
    #expect(try parse("file", environment)[Self.name] == "Pepper")
  }

  @Test func anOptionalOptionIsNilWhereItIsNotGiven() throws {
    var command = Command(name: "t", summary: "")
    let optional = Self.name.optional
    command.options = [optional]
    guard case .run(_, let without) = try command.parse([], environment: [:]),
      case .run(_, let with) = try command.parse(["--name", "Bo"], environment: [:])
    else { return }
    #expect(try without[optional] == nil)
    #expect(try with[optional] == "Bo")
  }

  @Test(arguments: [
    ("file", "--name (or KART_NAME) is missing"),
    ("-n a", "FILE is missing"),
    ("-n a b c d", "\"d\" is one word too many"),
    ("-n a f --colour red", "there is no option --colour"),
    ("-n a f -x", "there is no option -x"),
    ("-n a f --qui=et", "--quiet takes no value"),
    ("f --name", "--name needs a value"),
    ("f -n", "-n needs a value"),
    ("f --count=0 -n a", "--count takes a whole number from 1 to 9, not \"0\""),
    ("f --count= -n a", "--count takes a whole number from 1 to 9, not \"\""),
    ("f --shade red -n a", "--shade takes light or dark, not \"red\""),
    (
      "f --wait-time 5 -n a",
      "--wait-time takes a length of time such as 500ms, 2s, 5m or 1h, not \"5\""
    ),
    ("f --no -n a", "--no is short for more than one option: --no-quiet, --no-demo"),
  ])
  func aUsageErrorNamesTheThing(line: String, problem: String) {
    let error = #expect(throws: UsageError.self) { _ = try parse(line) }
    #expect(error?.description == "kart-test: \(problem); see kart-test --help")
  }

  @Test func aBadVariableIsNamedAsOne() {
    let error = #expect(throws: UsageError.self) { _ = try parse("f -n a", ["KART_COUNT": "many"]) }
    #expect(error?.description.hasPrefix("kart-test: KART_COUNT takes a whole number") == true)
  }

  @Test(arguments: [
    ([], ["PORT": "9000"], "ipv4:0.0.0.0:9000"),
    ([], ["PORT": "9000", "KART_LISTEN": "elsewhere"], "elsewhere"),
    (["--listen", "here"], ["PORT": "9000"], "here"),
    ([], [:], "default"),
  ])
  func aVariableOfOthersMayStandInForAnOption(
    words: [String], environment: [String: String], value: String
  ) throws {
    var listen = Option.text("listen", "ADDRESS", default: "default", help: "Where.")
    listen.definition.substitute = .port
    var command = Command(name: "t", summary: "")
    command.options = [listen]
    guard case .run(_, let arguments) = try command.parse(words, environment: environment)
    else { return }
    #expect(try arguments[listen] == value)
    let error = #expect(throws: UsageError.self) {
      _ = try command.parse([], environment: ["PORT": "http"])
    }
    #expect(
      error?.description == "t: PORT takes a port from 1 to 65535, not \"http\"; see t --help")
  }

  @Test func subcommandsAreFoundWithTheirOwnOptions() async throws {
    let ran = Mutex<[String]>([])
    var inner = Self.command
    inner.name = "demo"
    inner.run = { arguments in
      let name = try arguments[Self.name]
      ran.withLock { $0 = arguments.operands + [name] }
    }
    var feed = Command(name: "feed", summary: "Feeds.")
    feed.subcommands = [inner]
    var root = Command(name: "kart", summary: "Does it all.")
    root.subcommands = [feed]
    var problems: [String] = []
    func run(_ line: String) async -> Int32 {
      await root.execute(
        line.split(separator: " ").map(String.init), environment: [:], output: { _ in },
        errors: { problems.append($0) })
    }
    #expect(await run("feed demo f -n x") == 0)
    #expect(ran.withLock { $0 } == ["f", "x"])
    #expect(await run("feed") == 2)
    #expect(await run("fed") == 2)
    #expect(await run("feed demo f") == 2)
    #expect(
      problems == [
        "kart feed: name a command: demo; see kart feed --help\n",
        "kart: there is no command \"fed\"; it is one of feed; see kart --help\n",
        "kart feed demo: --name (or KART_NAME) is missing; see kart feed demo --help\n",
      ])
  }

  @Test func aFailureExitsWithStatusOne() async {
    var command = Command(name: "kart-test", summary: "Fails.")
    command.run = { _ in throw CancellationError() }
    var problems: [String] = []
    let status = await command.execute(
      [], environment: [:], output: { _ in }, errors: { problems.append($0) })
    #expect(status == 1)
    #expect(problems == ["kart-test: CancellationError()\n"])
  }

  @Test(
    arguments: [(EPIPE, 141, []), (ENOSPC, 1, ["standard output cannot be written"])]
      as [(Int32, Int32, [String])])
  func whoHasReadEnoughIsNotToldSo(code: Int32, status: Int32, problems: [String]) async {
    var command = Command(name: "kart-test", summary: "Prints.")
    command.run = { _ in throw StandardOutputError(code: code) }
    var told: [String] = []
    let found = await command.execute(
      [], environment: [:], output: { _ in }, errors: { told.append($0) })
    #expect(found == status)
    #expect(told.count == problems.count)
    #expect(zip(told, problems).allSatisfy { $0.contains($1) })
  }

  @Test func aSentenceOfOthersIsNotEndedTwice() {
    let option = Option<Int>(
      OptionDefinition(name: "count", placeholder: "N", help: "How many."), default: 1
    ) { (_) throws(UsageError) in throw UsageError("takes 1 or 2, or another.") }
    var command = Command(name: "kart-test", summary: "Counts.")
    command.options = [option]
    let error = #expect(throws: UsageError.self) {
      try command.parse(["--count", "x"], environment: [:])
    }
    #expect(
      error?.description == "kart-test: --count takes 1 or 2, or another; see kart-test --help")
  }

  @Test func theHelpExplainsEverything() throws {
    guard case .answer(let text) = try Self.command.parse(["-h"], environment: [:]) else {
      Issue.record("no help")
      return
    }
    #expect(
      text == """
        Usage: kart-test [OPTION]... FILE [OTHER]

        Tests.

        Operands:
          FILE   What to read.
          OTHER  More.

        Options:
          -n, --name TEXT       A name. Required. [KART_NAME]
          --count N             How many. Default: 3. [KART_COUNT]
          --wait-time DURATION  How long. Default: 90s. [KART_WAIT_TIME]
          --shade light|dark    Which. Default: light. [KART_SHADE]
          -q, --quiet           Says less. [KART_QUIET]
          --[no-]demo           Shows off. Default: on. [KART_DEMO]
          --tag TAG             Marks it. May be given more than once. [KART_TAG]
          -h, --help            Shows this.
          --version             Shows the version.

        """)
  }

  @Test func theVersionIsShown() async throws {
    var text = ""
    let status = await Self.command.execute(
      ["--version"], environment: [:], output: { text += $0 }, errors: { _ in })
    #expect(status == 0)
    #expect(text == "kart-test \(SwiftKartVersion.text)\n")
  }
}
