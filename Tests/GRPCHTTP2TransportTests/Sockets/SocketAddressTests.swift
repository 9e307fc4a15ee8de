import Testing

@testable import GRPCHTTP2Transport

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("ipv4:127.0.0.1:8080", SocketAddress.ipv4(host: "127.0.0.1", port: 8080)),
    ("ipv6:[::1]:0", .ipv6(host: "::1", port: 0)),
    ("unix:relative.sock", .unixDomainSocket(path: "relative.sock")),
    ("unix:/run/kart.sock", .unixDomainSocket(path: "/run/kart.sock")),
  ])
  func namesAreReadAndPrinted(name: String, address: SocketAddress) throws {
    #expect(try SocketAddress(parsing: name) == address)
    #expect(address.description == name)
  }

  @Test func unixNamesHaveALongFormToo() throws {
    #expect(try SocketAddress(parsing: "unix:///a/b") == .unixDomainSocket(path: "/a/b"))
  }

  @Test(arguments: [
    "", "8080", "localhost:8080", "ipv4:127.0.0.1", "ipv4:127.0.0.1:", "ipv4:127.0.0.1:65536",
    "ipv4:127.0.0.1:+1", "ipv4:localhost:80", "ipv6:::1:80", "ipv6:[::1]", "ipv6:[::1]80",
    "ipv6:[1.2.3.4]:80", "unix:", "unix://host/path", "http://127.0.0.1:80",
    "unix:/\(String(repeating: "x", count: 107))",
  ])
  func textsThatAreNoAddressesAreRefused(name: String) {
    #expect(throws: InvalidSocketAddress.self) { try SocketAddress(parsing: name) }
  }

  @Test(arguments: [
    SocketAddress.ipv4(host: "10.1.2.3", port: 65535), .ipv6(host: "fe80::1", port: 1),
    .unixDomainSocket(path: "/\(String(repeating: "x", count: 106))"),
  ])
  func addressesSurviveTheKernelsForm(address: SocketAddress) throws {
    let storage = try SocketAddressStorage(address)
    let (_, copy) = SocketAddressStorage.filled { name, length in
      storage.withSockaddr { source, size in
        UnsafeMutableRawPointer(name).copyMemory(from: source, byteCount: Int(size))
        length.pointee = size
        return 0
      }
    }
    #expect(copy == address)
  }
}
