import CLinux
import Glibc

/// A ``SocketAddress`` as system calls take and give it.
struct SocketAddressStorage {
  private var storage = sockaddr_storage()
  private(set) var length: socklen_t = 0

  /// Translates an address.
  init(_ address: SocketAddress) throws(InvalidSocketAddress) {
    switch address.family {
    case .ipv4(let ipv4):
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = try Self.port(ipv4.port, of: address).bigEndian
      guard inet_pton(AF_INET, ipv4.host, &name.sin_addr) == 1 else {
        throw InvalidSocketAddress("“\(ipv4.host)” is no IPv4 address.")
      }
      store(name, MemoryLayout<sockaddr_in>.size)
    case .ipv6(let ipv6):
      var name = sockaddr_in6()
      name.sin6_family = sa_family_t(AF_INET6)
      name.sin6_port = try Self.port(ipv6.port, of: address).bigEndian
      guard inet_pton(AF_INET6, ipv6.host, &name.sin6_addr) == 1 else {
        throw InvalidSocketAddress("“\(ipv6.host)” is no IPv6 address.")
      }
      store(name, MemoryLayout<sockaddr_in6>.size)
    case .unixDomainSocket(let unix):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      let path = Array(unix.path.utf8)
      let limit = MemoryLayout.size(ofValue: name.sun_path) - 1
      guard !path.isEmpty, path.count <= limit, !path.contains(0) else {
        throw InvalidSocketAddress(
          "A Unix socket's path has 1 to \(limit) bytes, and “\(unix.path)” has \(path.count).")
      }
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
      store(name, MemoryLayout<sockaddr_un>.size)
    case .abstractSocket(let abstract):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      // The name follows a zero byte, and its length is that of the address.
      let bytes = [0] + Array(abstract.name.utf8)
      let limit = MemoryLayout.size(ofValue: name.sun_path)
      guard bytes.count > 1, bytes.count <= limit else {
        throw InvalidSocketAddress(
          "An abstract socket's name has 1 to \(limit - 1) bytes, and “\(abstract.name)” has "
            + "\(bytes.count - 1).")
      }
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
      store(name, Self.pathOffset + bytes.count)
    case .virtualSocket(let virtual):
      var name = sockaddr_vm()
      name.svm_family = sa_family_t(AF_VSOCK)
      name.svm_cid = virtual.contextID.rawValue
      name.svm_port = virtual.port.rawValue
      store(name, MemoryLayout<sockaddr_vm>.size)
    }
  }

  /// Has a system call fill in an address; nil when it fails or gives one of another family.
  static func filled(
    by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> (result: Int32, address: SocketAddress?) {
    var empty = SocketAddressStorage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutableBytes(of: &empty.storage) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { names in
        names.baseAddress.map { call($0, &length) } ?? -1
      }
    }
    empty.length = length
    return (result, result >= 0 ? empty.address : nil)
  }

  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  private static let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2

  private init() {}

  private mutating func store<Name>(_ name: Name, _ size: Int) {
    withUnsafeBytes(of: name) { name in
      withUnsafeMutableBytes(of: &storage) {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: name[..<size]))
      }
    }
    length = socklen_t(size)
  }

  private static func port(
    _ port: Int, of address: SocketAddress
  ) throws(InvalidSocketAddress) -> UInt16 {
    guard let port = UInt16(exactly: port) else {
      throw InvalidSocketAddress("A port is between 0 and 65535, and that of \(address) is not.")
    }
    return port
  }

  private var address: SocketAddress? {
    withUnsafeBytes(of: storage) { bytes in
      switch Int32(storage.ss_family) {
      case AF_INET:
        var name = bytes.load(as: sockaddr_in.self)
        return .ipv4(
          host: Self.text(AF_INET, &name.sin_addr, INET_ADDRSTRLEN),
          port: Int(UInt16(bigEndian: name.sin_port)))
      case AF_INET6:
        var name = bytes.load(as: sockaddr_in6.self)
        let port = Int(UInt16(bigEndian: name.sin6_port))
        let text = Self.text(AF_INET6, &name.sin6_addr, INET6_ADDRSTRLEN)
        // A client of IPv4 at a socket that listens for both.
        if text.hasPrefix("::ffff:"), text.contains(".") {
          return .ipv4(host: String(text.dropFirst("::ffff:".count)), port: port)
        }
        return .ipv6(
          host: text, port: port)
      case AF_UNIX:
        let path = bytes[min(Self.pathOffset, Int(length))..<Int(length)]
        if path.count > 1, path.first == 0 {
          return .unixAbstract(name: String(decoding: path.dropFirst(), as: UTF8.self))
        }
        return .unixDomainSocket(path: String(decoding: path.prefix { $0 != 0 }, as: UTF8.self))
      case AF_VSOCK:
        let name = bytes.load(as: sockaddr_vm.self)
        return .vsock(
          contextID: .init(rawValue: name.svm_cid), port: .init(rawValue: name.svm_port))
      default:
        return nil
      }
    }
  }

  private static func text(
    _ family: Int32, _ address: UnsafeRawPointer, _ size: Int32
  ) -> String {
    var text = [CChar](repeating: 0, count: Int(size))
    inet_ntop(family, address, &text, socklen_t(size))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
