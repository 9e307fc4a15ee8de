import GRPCCore
import Testing

@testable import GRPCHTTP2Transport

@Suite struct TargetNameTests {
  @Test(arguments: [
    ("dns:example.org", "example.org", 443),
    ("dns:example.org:80", "example.org", 80),
    ("dns:///example.org:80", "example.org", 80),
    ("DNS:///example.org:80", "example.org", 80),
    ("example.org", "example.org", 443),
    ("localhost:8080", "localhost", 8080),
    ("127.0.0.1:8080", "127.0.0.1", 8080),
    ("[::1]:8080", "::1", 8080),
    ("[::1]", "::1", 443),
    ("::1", "::1", 443),
    ("dns:///[::1]:8080", "::1", 8080),
  ])
  func hosts(text: String, host: String, port: Int) throws {
    #expect(try TargetName(text).form == .dns(ResolvableTargets.DNS(host: host, port: port)))
  }

  @Test(arguments: [
    ("ipv4:127.0.0.1:8080", [("127.0.0.1", 8080)]),
    ("ipv4:127.0.0.1", [("127.0.0.1", 443)]),
    ("ipv4:///127.0.0.1:1", [("127.0.0.1", 1)]),
    (
      "ipv4:127.0.0.1:1,10.0.0.2,10.0.0.3:65535",
      [("127.0.0.1", 1), ("10.0.0.2", 443), ("10.0.0.3", 65535)]
    ),
  ])
  func ipv4(text: String, pairs: [(String, Int)]) throws {
    #expect(try TargetName(text).form == .ipv4(.init(pairs: pairs.map { ($0.0, $0.1) })))
  }

  @Test(arguments: [
    ("ipv6:[::1]:8080", [("::1", 8080)]),
    ("ipv6:[::1]", [("::1", 443)]),
    ("ipv6:::1", [("::1", 443)]),
    ("ipv6:[2001:db8::1]:1,[2001:db8::2]:2", [("2001:db8::1", 1), ("2001:db8::2", 2)]),
  ])
  func ipv6(text: String, pairs: [(String, Int)]) throws {
    #expect(try TargetName(text).form == .ipv6(.init(pairs: pairs.map { ($0.0, $0.1) })))
  }

  @Test(arguments: [
    ("unix:/run/kart.sock", "/run/kart.sock"),
    ("unix:///run/kart.sock", "/run/kart.sock"),
    ("unix:kart.sock", "kart.sock"),
    ("unix:a:b", "a:b"),
  ])
  func unixDomainSockets(text: String, path: String) throws {
    #expect(try TargetName(text).form == .unixDomainSocket(.init(path: path)))
    let folder = text.replacing("unix:", with: "unix-dir:")
    #expect(try TargetName(folder).form == .unixDirectory(.init(path: path)))
  }

  @Test(arguments: [
    ("", "the host is missing"),
    (":80", "the host is missing"),
    ("dns:", "the host is missing"),
    ("dns:///", "the host is missing"),
    ("dns://8.8.8.8/example.org", "a DNS server cannot be chosen, so write dns:///HOST:PORT"),
    (
      "example.org:",
      "“” is no port, and “example.org” is none of the schemes ipv4, ipv6, dns, unix, unix-abstract, unix-dir, vsock and file"
    ),
    (
      "localhost:65536",
      "“65536” is no port, and “localhost” is none of the schemes ipv4, ipv6, dns, unix, unix-abstract, unix-dir, vsock and file"
    ),
    (
      "uinx:/run/kart.sock",
      "“/run/kart.sock” is no port, and “uinx” is none of the schemes ipv4, ipv6, dns, unix, unix-abstract, unix-dir, vsock and file"
    ),
    (
      "http://localhost:80",
      "it begins with none of the schemes ipv4, ipv6, dns, unix, unix-abstract, unix-dir, vsock and file"
    ),
    ("a b", "“a b” is no host's name, and begins with no known scheme"),
    ("vsock:3", "write the machine's context ID and the port, as in vsock:3:5000"),
    ("vsock::5000", "write the machine's context ID and the port, as in vsock:3:5000"),
    ("unix-abstract:", "the name is missing"),
    ("[::1]80", "after the bracket comes a colon and the port"),
    ("ipv4:localhost:80", "“localhost:80” is no address and port as in ipv4:127.0.0.1:8080"),
    ("ipv4:127.0.0.1:80,", "“” is no address and port as in ipv4:127.0.0.1:8080"),
    ("ipv4:127.0.0.1:x", "“127.0.0.1:x” is no address and port as in ipv4:127.0.0.1:8080"),
    ("ipv6:[::1:80", "“[::1:80” is no address and port as in ipv6:[::1]:8080"),
    ("unix:", "the path is missing"),
    ("unix-dir:", "the path is missing"),
    ("unix://run/kart.sock", "after “//” comes an absolute path, as in unix:///run/kart.sock"),
  ])
  func mistakes(text: String, reason: String) throws {
    let error = try #require(throws: RuntimeError.self) { try TargetName(text) }
    #expect(error.code == .invalidArgument)
    #expect(error.message == "“\(text)” is not a target: \(reason).")
  }
}
