import EventLoop
import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// A service's configuration in TXT records.
@Suite(.timeLimit(.minutes(1))) struct DNSServiceConfigTests {
  private static let client = ServiceConfigChoice.Client(hostname: "kart-7", place: 40)

  // MARK: Records

  @Test func recordsAreLookedUp() async throws {
    let long = String(repeating: "x", count: 250)
    let server = try DNSServer(.records([["a", "bc"], [], Array(repeating: long, count: 20)]))
    let texts = try await TextRecords.lookUp("_grpc_config.example.org", server: server.address)
    #expect(texts == ["abc", "", String(repeating: long, count: 20)])
    var names = server.names.makeAsyncIterator()
    #expect(await names.next() == "_grpc_config.example.org")
  }

  @Test(arguments: [DNSServer.Answer.records([]), .failure(3)])
  func aNameMayHaveNone(answer: DNSServer.Answer) async throws {
    let server = try DNSServer(answer)
    #expect(try await TextRecords.lookUp("example.org", server: server.address) == [])
  }

  @Test func aServerThatFailsIsAnError() async throws {
    let server = try DNSServer(.failure(5))
    let error = await #expect(throws: RPCError.self) {
      try await TextRecords.lookUp("example.org", server: server.address)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message == "The TXT records of “example.org” cannot be looked up.")
  }

  @Test func nobodyWaitsForAServerThatDoesNotAnswer() async throws {
    let server = try DNSServer(.nothing)
    let lookup = Task { try await TextRecords.lookUp("example.org", server: server.address) }
    var names = server.names.makeAsyncIterator()
    _ = await names.next()
    lookup.cancel()
    await #expect(throws: CancellationError.self) { try await lookup.value }
  }

  private static let question: [UInt8] = [1, 0x61, 0, 0, 16, 0, 1]

  private static func answer(_ count: UInt8, _ records: [UInt8]) -> [UInt8] {
    [0, 1, 0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0] + question + records
  }

  @Test func otherRecordsArePassedOver() {
    let alias: [UInt8] = [0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 3, 1, 0x62, 0]
    let text: [UInt8] = [1, 0x62, 0, 0, 16, 0, 1, 0, 0, 0, 9, 0, 2, 1, 0x63]
    #expect(TextRecords.texts(in: Self.answer(2, alias + text)) == ["c"])
  }

  @Test(arguments: 0..<40) func whatIsCutOffIsNoAnswer(count: Int) {
    let text: [UInt8] = [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 9, 0, 3, 2, 0x63, 0x63]
    let whole = Self.answer(1, text)
    if count < whole.count { #expect(TextRecords.texts(in: Array(whole.prefix(count))) == nil) }
  }

  @Test(arguments: [
    // A string that is longer than its record, and a label of a kind that there is not.
    answer(1, [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 9, 0, 2, 2, 0x63]),
    answer(1, [0x80, 12, 0, 16, 0, 1, 0, 0, 0, 9, 0, 2, 1, 0x63]),
  ]) func whatIsWrongIsNoAnswer(bytes: [UInt8]) {
    #expect(TextRecords.texts(in: bytes) == nil)
  }

  // MARK: The choice

  private static func json(_ choice: String, _ name: String) -> String {
    #"{\#(choice)"serviceConfig": {"methodConfig": [{"name": [{"service": "\#(name)"}]}]}}"#
  }

  /// Whether a client is among those that a choice is for.
  @Test(arguments: [
    ("", true),
    (#""clientLanguage": ["java", "Swift"], "#, true), (#""clientLanguage": ["c++"], "#, false),
    (#""clientLanguage": [], "#, true), (#""percentage": 41, "#, true),
    (#""percentage": 40, "#, false), (#""percentage": 0, "#, false),
    (#""percentage": 100, "#, true),
    (#""clientHostname": ["a", "kart-7"], "#, true), (#""clientHostname": ["kart-70"], "#, false),
    (#""clientLanguage": ["swift"], "percentage": 10, "#, false),
    (#""clientHostname": ["kart-7"], "clientLanguage": ["go"], "#, false),
  ]) func aChoiceIsForSomeClients(fields: String, isChosen: Bool) throws {
    let texts = [
      "v=spf1", "grpc_config=[\(Self.json(fields, "first")), \(Self.json("", "second"))]",
    ]
    let config = try ServiceConfigChoice.config(in: texts, for: Self.client)?.get()
    #expect(config?.methodConfig.first?.names.first?.service == (isChosen ? "first" : "second"))
  }

  @Test(arguments: [[], ["v=spf1"], ["grpc_config=[]"]]) func thereMayBeNone(texts: [String]) {
    #expect(ServiceConfigChoice.config(in: texts, for: Self.client) == nil)
  }

  @Test func aChoiceForOthersAloneIsNone() {
    let text = "grpc_config=[\(Self.json(#""percentage": 1, "#, "first"))]"
    #expect(ServiceConfigChoice.config(in: [text], for: Self.client) == nil)
  }

  @Test(arguments: [
    "", "{}", #"[{"percentage": 10}]"#, #"[{"serviceConfig": {"methodConfig": 7}}]"#,
  ]) func whatCannotBeReadIsAnError(text: String) {
    let config = ServiceConfigChoice.config(in: ["grpc_config=\(text)"], for: Self.client)
    #expect(throws: RPCError.self) { try config?.get() }
  }

  // MARK: The resolver

  @Test func theConfigurationComesWithTheAddresses() async throws {
    let server = try DNSServer(.records([["grpc_config=[", Self.json("", "svc"), "]"]]))
    let resolver = NameResolvers.DNS(
      lookup: { _, port in [.ipv4(host: "10.0.0.1", port: port)] },
      textLookup: { try await TextRecords.lookUp($0, server: server.address) }, client: Self.client
    ).resolver(for: .dns(host: "example.org", port: 80))
    var results = resolver.names.makeAsyncIterator()
    let result = try #require(await results.next())
    #expect(result.endpoints.count == 1)
    #expect(try result.serviceConfig?.get().methodConfig.count == 1)
  }

  @Test(arguments: ["10.0.0.1", "::1"]) func anAddressHasNone(host: String) async throws {
    let resolver = NameResolvers.DNS(
      lookup: { host, port in [.ipv4(host: "10.0.0.1", port: port)] },
      textLookup: { name in
        Issue.record("\(name) is looked up")
        return []
      }
    ).resolver(for: .dns(host: host, port: 80))
    var results = resolver.names.makeAsyncIterator()
    #expect(try await results.next()?.serviceConfig == nil)
  }

  @Test func aServerOutOfReachLeavesWhatWasThere() async throws {
    let failing = Counter()
    let resolver = NameResolvers.DNS(
      lookup: { _, port in [.ipv4(host: "10.0.0.1", port: port)] },
      textLookup: { _ in
        guard failing.next() == 1 else { throw RPCError(code: .unavailable, message: "no") }
        return ["grpc_config=[\(Self.json("", "svc"))]"]
      }
    ).resolver(for: .dns(host: "example.org", port: 80))
    var results = resolver.names.makeAsyncIterator()
    for hasConfig in [false, true, true] {
      let result = try #require(await results.next())
      #expect(result.endpoints.count == 1)
      #expect(try (result.serviceConfig?.get().methodConfig.count == 1) == hasConfig)
    }
  }

  /// After each failed lookup there is another resolver.
  @Test func whatWasThereOutlivesAResolver() async throws {
    let lookups = Counter()
    let texts = Counter()
    let factory = NameResolvers.DNS(
      lookup: { _, port in
        if lookups.next() == 1 { throw RPCError(code: .unavailable, message: "no") }
        return [.ipv4(host: "10.0.0.1", port: port)]
      },
      textLookup: { name in
        // The server of the records is out of reach for longer than that of the addresses.
        guard name.hasSuffix("example.org"), texts.next() == 0 else {
          throw RPCError(code: .unavailable, message: "no")
        }
        return ["grpc_config=[\(Self.json("", "svc"))]"]
      }, client: Self.client)
    let target = ResolvableTargets.DNS(host: "example.org", port: 80)
    var first = factory.resolver(for: target).names.makeAsyncIterator()
    #expect(try await first.next()?.serviceConfig?.get().methodConfig.count == 1)
    await #expect(throws: RPCError.self) { try await first.next() }
    var second = factory.resolver(for: target).names.makeAsyncIterator()
    #expect(try await second.next()?.serviceConfig?.get().methodConfig.count == 1)
    // Another name's is another one.
    var other = factory.resolver(for: .dns(host: "example.com", port: 80)).names
      .makeAsyncIterator()
    let result = try #require(await other.next())
    #expect(result.serviceConfig == nil)
  }

  /// The option alone: where the system's servers have none, or there is no server, nothing changes.
  @Test func aChannelMayLookForIt() async throws {
    let server = try ScriptedServer(.ipv4(host: "127.0.0.1", port: 0))
    let port = try #require(server.address.ipv4?.port)
    var configuration = HTTP2ClientTransport.Configuration.defaults
    configuration.usesDNSServiceConfig = true
    configuration.resolverRegistry = .defaults(
      eventLoop: EventLoopGroup.shared.next(), usesDNSServiceConfig: true)
    let transport = try HTTP2ClientTransport(
      target: "127.0.0.1:\(port)", configuration: configuration)
    try await withGRPCClient(transport: transport) { client in
      try await EchoClient(client: client).expectEcho(of: [1])
    }
    await server.kill()
  }
}
