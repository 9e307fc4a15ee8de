import GRPCHTTP2Transport
import Testing

@testable import KartProcess

@Suite struct ListeningAddressTests {
  @Test(arguments: [
    ("unix:/run/kart/x.sock", "unix:/run/kart/x.sock" as String?),
    ("ipv4:127.0.0.1:8080", "ipv4:127.0.0.1:8080"),
    ("unix-dir:/run/kart/trackers", "unix:/run/kart/trackers/c0ffee.sock"),
    ("systemd", nil),
  ])
  func anAddressIsReadAndWritten(text: String, address: String?) throws {
    let listening = try #require(ListeningAddress(parsing: text))
    #expect("\(listening)" == text)
    #expect(listening.address(onHost: "c0ffee").map { "\($0)" } == address)
  }

  @Test(arguments: ["", "8080", "localhost:8080", "unix-dir:", "unix:", "dns:///host:80"])
  func whatIsNoAddressIsRefused(text: String) {
    #expect(ListeningAddress(parsing: text) == nil)
  }
}
