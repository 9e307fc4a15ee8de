import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct DNSResolverTests {
  @Test func everyAddressIsAnEndpointOfItsOwn() async throws {
    let addresses: [SocketAddress] = [
      .ipv4(host: "10.0.0.1", port: 80), .ipv6(host: "::1", port: 80),
    ]
    let resolver = NameResolvers.DNS { host, port in
      #expect(host == "example.org" && port == 80)
      return addresses
    }.resolver(for: .dns(host: "example.org", port: 80))
    #expect(resolver.updateMode == .pull)
    #expect(resolver.authority == "example.org:80")
    var names = resolver.names.makeAsyncIterator()
    for _ in 0..<2 {
      let result = try #require(await names.next())
      #expect(result.endpoints == addresses.map { Endpoint(addresses: [$0]) })
    }
  }

  @Test func numericHostsNeedNoServer() async throws {
    #expect(
      try await AddressLookup.addresses(host: "127.0.0.1", port: 8080)
        == [.ipv4(host: "127.0.0.1", port: 8080)])
    #expect(
      try await AddressLookup.addresses(host: "localhost", port: 1)
        .contains(.ipv4(host: "127.0.0.1", port: 1)))
  }

  @Test func aHostThatIsUnknownIsNamed() async throws {
    let error = await #expect(throws: RPCError.self) {
      try await AddressLookup.addresses(host: "no such host", port: 80)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.hasPrefix("The host “no such host” cannot be looked up: ") == true)
  }

  @Test func aCancelledTaskDoesNotWait() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await AddressLookup.addresses(host: "localhost", port: 80)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func ipv6HostsAreBracketedInTheAuthority() {
    let resolver = NameResolvers.DNS { _, _ in [] }.resolver(for: .dns(host: "::1", port: 80))
    #expect(resolver.authority == "[::1]:80")
  }
}
