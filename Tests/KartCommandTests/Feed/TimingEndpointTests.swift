import Testing

@testable import KartCommand

struct TimingEndpointTests {
  @Test(arguments: ["timing.example:50000", "10.0.0.7:60000", "[::1]:50000"])
  func readsWhatItWrites(text: String) throws {
    #expect(try #require(TimingEndpoint(text)).description == text)
  }

  @Test(arguments: ["", "host", "host:", ":50000", "host:0", "host:65536", "::1:50000", "[]:1"])
  func refusesWhatIsNone(text: String) {
    #expect(TimingEndpoint(text) == nil)
  }
}
