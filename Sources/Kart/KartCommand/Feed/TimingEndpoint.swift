/// Where a timing system listens: a host's name or address, and a port.
struct TimingEndpoint: Hashable, Sendable, CustomStringConvertible {
  var host: String
  var port: UInt16

  /// Reads `HOST:PORT`, with an IPv6 address in brackets; nil for anything else.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst()),
      port > 0
    else { return nil }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.host = String(host)
    self.port = port
  }

  var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
