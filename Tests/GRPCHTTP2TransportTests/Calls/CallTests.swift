import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

/// Our client against our server, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct CallTests {
  @Test(arguments: Route.allCases) func callsOfAllKinds(route: Route) async throws {
    try await EchoCalls(route: route).run { (client, _) async throws in
      #expect(try await client.echo([1, 2, 3]) == [1, 2, 3])
      #expect(try await client.echo([]) == [])
      let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
      #expect(try await client.echo(large) == large)

      let numbers = try await client.expand(500) { response in
        var numbers: [UInt8] = []
        for try await message in response.messages {
          #expect(message.count == 1000)
          numbers.append(message[0])
        }
        return numbers
      }
      #expect(numbers == (0..<500).map { UInt8(truncatingIfNeeded: $0) })

      let total = try await client.collect { writer in
        for _ in 0..<500 { try await writer.write([UInt8](repeating: 0, count: 1000)) }
      }
      #expect(try total.message == Array("500000".utf8))

      let echoed = try await client.bidirectional { writer in
        for number in 0..<500 { try await writer.write([UInt8](repeating: 1, count: number)) }
      } _: { response in
        var sizes: [Int] = []
        for try await message in response.messages { sizes.append(message.count) }
        return sizes
      }
      #expect(echoed == Array(0..<500))
    }
  }

  @Test func manyCallsAtOnce() async throws {
    try await EchoCalls().run { (client, _) async throws in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1000 {
          let message = Array("\(number)".utf8)
          group.addTask { try await client.echo(message) == message }
        }
        for try await isSame in group { #expect(isSame) }
      }
    }
  }

  @Test(arguments: Route.allCases) func metadataGoesBothWays(route: Route) async throws {
    let metadata: Metadata = [
      "x-text": "some text", "x-text": "more", "x-data-bin": .binary([0, 255]),
      "x-data-bin": .binary([]), "x-data-bin": .binary([1, 2, 3]), "x-empty": "",
    ]
    try await EchoCalls(route: route).run { (client, _) async throws in
      let unary = try await client.unary([1], metadata: metadata)
      for received in [unary.metadata, unary.trailingMetadata] {
        #expect(Array(received[stringValues: "x-text"]) == ["some text", "more"])
        #expect(Array(received[stringValues: "X-Empty"]) == [""])
        #expect(Array(received[binaryValues: "x-data-bin"]) == [[0, 255], [], [1, 2, 3]])
      }
    }
  }

  @Test func aStatusMessageKeepsItsSpaces() async throws {
    let failing = FilledService(unary: { _, _ in throw RPCError(code: .aborted, message: " m ") })
    try await EchoCalls(services: [failing]).run { (client, _) async throws in
      let error = await #expect(throws: RPCError.self) { try await client.echo([1]) }
      #expect(error == RPCError(code: .aborted, message: " m "))
    }
  }

  @Test func theServerKnowsItsPeerAndTheClientsName() async throws {
    let service = FilledService(unary: { request, context in
      var metadata: Metadata = ["peer": "\(context.remotePeer)"]
      metadata.add(contentsOf: request.metadata)
      return ServerResponse(message: [], metadata: metadata)
    })
    try await EchoCalls(route: .tcp, services: [service]).run { (client, _) async throws in
      let response = try await client.unary([])
      #expect(
        Array(response.metadata[stringValues: "peer"]).first?.hasPrefix("ipv4:127.0.0.1:") == true)
      #expect(Array(response.metadata[stringValues: "user-agent"]) == ["grpc-swiftkart/1.0"])
    }
  }

  /// Each end has its own limit, and each direction.
  @Test func limitsAreOfOneDirection() async throws {
    var calls = EchoCalls()
    calls.server.maxRequestMessageBytes = 1000
    try await calls.run { (client, _) async throws in
      #expect(try await client.echo([UInt8](repeating: 1, count: 1000)).count == 1000)
      let error = await #expect(throws: RPCError.self) {
        try await client.echo([UInt8](repeating: 1, count: 1001))
      }
      #expect(error?.code == .resourceExhausted)
      // Its responses are larger, which is no matter.
      let size = try await client.expand(3) { try await $0.messages.reduce(0) { $0 + $1.count } }
      #expect(size == 3000)
    }
  }

  @Test func aClientSendsNothingLargerThanItsOptionsSay() async throws {
    try await EchoCalls().run { (client, _) async throws in
      var options = CallOptions.defaults
      options.maxRequestMessageBytes = 10
      #expect(try await client.echo([UInt8](repeating: 1, count: 10), options: options).count == 10)
      let unary = await #expect(throws: RPCError.self) {
        try await client.echo([UInt8](repeating: 1, count: 11), options: options)
      }
      #expect(unary?.code == .resourceExhausted)
      let streaming = try await client.collect(options: options) { writer in
        try await writer.write([UInt8](repeating: 1, count: 10))
        try await writer.write([UInt8](repeating: 1, count: 11))
      }
      let error = #expect(throws: RPCError.self) { try streaming.message }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message == "The request message has 11 bytes, and the limit is 10.")
      // The response may be larger.
      let count = try await client.expand(2, options: options) {
        try await $0.messages.reduce(0) { n, _ in n + 1 }
      }
      #expect(count == 2)
    }
  }

  @Test func aClientSendsNothingLargerThanItsConfigurationSays() async throws {
    var calls = EchoCalls()
    calls.client.maxRequestMessageBytes = 10
    try await calls.run { (client, _) async throws in
      #expect(try await client.echo([UInt8](repeating: 1, count: 10)).count == 10)
      let unary = await #expect(throws: RPCError.self) {
        try await client.echo([UInt8](repeating: 1, count: 11))
      }
      #expect(unary?.code == .resourceExhausted)
      let streaming = try await client.collect {
        try await $0.write([UInt8](repeating: 1, count: 11))
      }
      let error = #expect(throws: RPCError.self) { try streaming.message }
      #expect(error?.code == .resourceExhausted)
      // A call may say otherwise of itself.
      var options = CallOptions.defaults
      options.maxRequestMessageBytes = 11
      #expect(try await client.echo([UInt8](repeating: 1, count: 11), options: options).count == 11)
    }
  }

  @Test func aServerSendsNothingLargerThanItsLimit() async throws {
    var calls = EchoCalls()
    calls.server.maxResponseMessageBytes = 500
    try await calls.run { (client, _) async throws in
      let unary = await #expect(throws: RPCError.self) {
        try await client.echo([UInt8](repeating: 1, count: 501))
      }
      #expect(unary?.code == .resourceExhausted)
      let streaming = await #expect(throws: RPCError.self) {
        try await client.expand(1) { for try await _ in $0.messages {} }
      }
      #expect(streaming?.code == .resourceExhausted)
      #expect(try await client.echo([UInt8](repeating: 1, count: 500)).count == 500)
    }
  }

  @Test(arguments: Route.allCases) func whatWasSentBeforeAMessageThatIsTooLargeArrives(
    route: Route
  ) async throws {
    let service = FilledService(bidirectional: { _, _ in
      StreamingServerResponse { writer in
        try await writer.write([1])
        try await writer.write([UInt8](repeating: 1, count: 501))
        return [:]
      }
    })
    var calls = EchoCalls(route: route, services: [service])
    calls.server.maxResponseMessageBytes = 500
    try await calls.run { (client, _) async throws in
      let (messages, error) = try await client.bidirectional { _ in
      } _: { response in
        var messages: [[UInt8]] = []
        do {
          for try await message in response.messages { messages.append(message) }
          return (messages, nil as RPCError?)
        } catch {
          return (messages, error as? RPCError)
        }
      }
      #expect(messages == [[1]])
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message == "The response message has 501 bytes, and 500 are allowed.")
    }
  }

  /// Too much metadata fails its call, and the connection goes on.
  @Test(arguments: [20_000, 100_000]) func tooMuchMetadataFailsOneCall(size: Int) async throws {
    let large: Metadata = ["x-large": .string(String(repeating: "x", count: size))]
    try await EchoCalls().run { (client, _) async throws in
      let response = try await client.unary([1], metadata: large)
      let error = #expect(throws: RPCError.self) { try response.message }
      #expect(error?.code == .resourceExhausted)
      #expect(try await client.echo([1]) == [1])
    }
  }

  @Test(arguments: [20_000, 100_000]) func tooMuchMetadataOfAResponseFailsOneCall(
    size: Int
  ) async throws {
    let service = FilledService(unary: { request, _ in
      ServerResponse(
        message: request.message,
        metadata: request.message.isEmpty
          ? ["x-large": .string(String(repeating: "x", count: size))] : [:],
        trailingMetadata: request.message.count == 1
          ? ["x-large": .string(String(repeating: "x", count: size))] : [:])
    })
    try await EchoCalls(services: [service]).run { (client, _) async throws in
      for message: [UInt8] in [[], [1]] {
        let response = try await client.unary(message)
        let error = #expect(throws: RPCError.self) { try response.message }
        #expect(error?.code == .resourceExhausted)
      }
      #expect(try await client.echo([1, 2]) == [1, 2])
    }
  }
}
