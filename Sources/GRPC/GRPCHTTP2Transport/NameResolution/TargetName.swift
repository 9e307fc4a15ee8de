import GRPCCore

/// A target that is written as text, by gRPC's naming scheme.
///
/// | form | meaning |
/// | --- | --- |
/// | `dns:HOST[:PORT]`, `dns:///HOST[:PORT]`, `HOST[:PORT]` | every address of a host; the port is 443 if left out |
/// | `ipv4:ADDRESS[:PORT][,…]` | a list of IPv4 addresses |
/// | `ipv6:[ADDRESS][:PORT][,…]` | a list of IPv6 addresses |
/// | `unix:PATH`, `unix:///PATH` | a Unix domain socket; the path may be relative in the first form |
/// | `unix-abstract:NAME` | a Unix domain socket that has a name instead of a path |
/// | `vsock:CID:PORT` | a virtual socket of a virtual machine, or of this one's host |
/// | `unix-dir:PATH`, `unix-dir:///PATH` | every socket in a folder, and those that join it later |
/// | `file:PATH`, `file:///PATH` | the endpoints that a file lists; see ``ResolvableTargets/EndpointsFile`` |
///
/// See gRPC's "gRPC Name Resolution".
public struct TargetName: Sendable, Hashable {
  /// The text.
  public let text: String

  enum Form: Sendable, Hashable {
    case dns(ResolvableTargets.DNS)
    case ipv4(ResolvableTargets.IPv4)
    case ipv6(ResolvableTargets.IPv6)
    case unixDomainSocket(ResolvableTargets.UnixDomainSocket)
    case unixDirectory(ResolvableTargets.UnixDirectory)
    case abstractSocket(ResolvableTargets.AbstractSocket)
    case virtualSocket(ResolvableTargets.VirtualSocket)
    case endpointsFile(ResolvableTargets.EndpointsFile)
  }

  let form: Form

  /// What the text names.
  public var target: any ResolvableTarget {
    switch form {
    case .dns(let target): target
    case .ipv4(let target): target
    case .ipv6(let target): target
    case .unixDomainSocket(let target): target
    case .unixDirectory(let target): target
    case .abstractSocket(let target): target
    case .virtualSocket(let target): target
    case .endpointsFile(let target): target
    }
  }

  /// Reads a target.
  ///
  /// - Parameter text: A target in one of the forms above.
  /// - Throws: `RuntimeError` with code `invalidArgument`, whose message is one sentence, if it has none of them.
  public init(_ text: String) throws(RuntimeError) {
    self.text = text
    let (scheme, rest) = Self.splitScheme(text)
    do {
      form =
        switch scheme {
        case "ipv4": .ipv4(ResolvableTargets.IPv4(addresses: try Self.addresses(scheme, rest)))
        case "ipv6": .ipv6(ResolvableTargets.IPv6(addresses: try Self.addresses(scheme, rest)))
        case "unix":
          .unixDomainSocket(ResolvableTargets.UnixDomainSocket(path: try Self.path(rest)))
        case "unix-dir": .unixDirectory(ResolvableTargets.UnixDirectory(path: try Self.path(rest)))
        case "unix-abstract":
          .abstractSocket(
            ResolvableTargets.AbstractSocket(
              address: SocketAddress.AbstractSocket(name: try Self.abstractName(rest))))
        case "vsock":
          .virtualSocket(ResolvableTargets.VirtualSocket(address: try Self.virtualSocket(rest)))
        case "file": .endpointsFile(ResolvableTargets.EndpointsFile(path: try Self.path(rest)))
        case "dns": .dns(try Self.host(try Self.withoutServer(rest)))
        default: .dns(try Self.host(text[...]))
        }
    } catch {
      throw RuntimeError(
        code: .invalidArgument, message: "“\(text)” is not a target: \(error.reason).")
    }
  }

  private struct Mistake: Error {
    var reason: String
  }

  private static func splitScheme(_ text: String) -> (scheme: String, rest: Substring) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text[...]) }
    return (text[..<colon].lowercased(), text[text.index(after: colon)...])
  }

  private static func path(_ text: Substring) throws(Mistake) -> String {
    // `unix:///path` is a URI with an empty authority, and its path is absolute.
    let path = text.hasPrefix("//") ? text.dropFirst(2) : text
    guard !path.isEmpty else { throw Mistake(reason: "the path is missing") }
    guard path.startIndex == text.startIndex || path.hasPrefix("/") else {
      throw Mistake(reason: "after “//” comes an absolute path, as in unix:///run/kart.sock")
    }
    return String(path)
  }

  private static func abstractName(_ text: Substring) throws(Mistake) -> String {
    guard !text.isEmpty else { throw Mistake(reason: "the name is missing") }
    return String(text)
  }

  private static func virtualSocket(
    _ text: Substring
  ) throws(Mistake) -> SocketAddress.VirtualSocket {
    guard let address = SocketAddress.VirtualSocket(parsing: text), address.contextID != .any else {
      throw Mistake(reason: "write the machine's context ID and the port, as in vsock:3:5000")
    }
    return address
  }

  private static func addresses(
    _ scheme: String, _ list: Substring
  ) throws(Mistake) -> [SocketAddress] {
    let text = list.hasPrefix("///") ? list.dropFirst(3) : list
    var addresses: [SocketAddress] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isIPv6 = scheme == "ipv6"
      let hasPort = isIPv6 ? item.contains("]:") : item.contains(":")
      let isBare = isIPv6 && !item.hasPrefix("[")
      let name = (isBare ? "[\(item)]" : String(item)) + (hasPort ? "" : ":443")
      do {
        addresses.append(try SocketAddress(parsing: "\(scheme):\(name)"))
      } catch {
        let example = isIPv6 ? "ipv6:[::1]:8080" : "ipv4:127.0.0.1:8080"
        throw Mistake(reason: "“\(item)” is no address and port as in \(example)")
      }
    }
    return addresses
  }

  /// What follows the place where a URI names the DNS server to ask.
  private static func withoutServer(_ text: Substring) throws(Mistake) -> Substring {
    guard text.hasPrefix("//") else { return text }
    let path = text.dropFirst(2)
    guard path.hasPrefix("/") else {
      throw Mistake(reason: "a DNS server cannot be chosen, so write dns:///HOST:PORT")
    }
    return path.dropFirst()
  }

  private static func host(_ text: Substring) throws(Mistake) -> ResolvableTargets.DNS {
    var host = text
    var port: Substring?
    if text.hasPrefix("["), let bracket = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<bracket]
      let rest = text[text.index(after: bracket)...]
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw Mistake(reason: "after the bracket comes a colon and the port")
      }
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    } else if text.contains(":"), (try? SocketAddress(parsing: "ipv6:[\(text)]:443")) == nil {
      throw Mistake(
        reason: "it begins with none of the schemes ipv4, ipv6, dns,"
          + " unix, unix-abstract, unix-dir, vsock and file")
    }
    guard !host.isEmpty else { throw Mistake(reason: "the host is missing") }
    guard !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }), !host.contains("/") else {
      throw Mistake(reason: "“\(host)” is no host's name, and begins with no known scheme")
    }
    guard let port else { return ResolvableTargets.DNS(host: String(host), port: 443) }
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port) else {
      throw Mistake(
        reason: "“\(port)” is no port, and “\(host)” is none of the schemes ipv4, ipv6, dns, unix,"
          + " unix-abstract, unix-dir, vsock and file")
    }
    return ResolvableTargets.DNS(host: String(host), port: Int(number))
  }
}
