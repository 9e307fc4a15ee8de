import EventLoop
import Glibc

@testable import GRPCHTTP2Transport

/// A DNS server that knows TXT records, on a UDP port of its own.
///
/// `@unchecked Sendable` holds because all mutable state is touched on the loop alone.
final class DNSServer: DescriptorHandler, @unchecked Sendable {
  enum Answer: Sendable {
    /// Each record's strings.
    case records([[String]])
    /// Why there are none, as 3 if there is no such name.
    case failure(UInt8)
    /// These bytes behind the query's number.
    case bytes([UInt8])
    case nothing
  }

  let address: SocketAddress
  /// The names that were asked for.
  let names: AsyncStream<String>
  private let name: AsyncStream<String>.Continuation
  private let descriptor: Int32
  private let loop = EventLoopGroup.shared.next()
  private let answer: Answer

  init(_ answer: Answer) throws {
    self.answer = answer
    (names, name) = AsyncStream.makeStream()
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    self.descriptor = descriptor
    let any = try SocketAddressStorage(.ipv4(host: "127.0.0.1", port: 0))
    let failed = any.withSockaddr { bind(descriptor, $0, $1) } != 0
    let bound = SocketAddressStorage.filled {
      getsockname(descriptor, $0, $1)
    }
    guard !failed, let address = bound.address else { throw SystemError("bind", "127.0.0.1") }
    self.address = address
    loop.execute { [self] in _ = try? loop.register(descriptor, for: .readable, handler: self) }
  }

  func descriptorIsReady(_ readiness: Readiness) {
    var query = [UInt8](repeating: 0, count: 512)
    var peer = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let count = withUnsafeMutablePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &query, query.count, Int32(MSG_DONTWAIT), $0, &length)
      }
    }
    guard count > 12 else { return }
    let question =
      query[12..<count].prefix { $0 != 0 } + query[12..<count].drop { $0 != 0 }.prefix(5)
    name.yield(Self.text(question))
    guard let reply = reply(to: query, Array(question)) else { return }
    _ = withUnsafePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, reply, reply.count, 0, $0, length)
      }
    }
  }

  private func reply(to query: [UInt8], _ question: [UInt8]) -> [UInt8]? {
    func head(_ code: UInt8, _ count: Int) -> [UInt8] {
      query[..<2] + [0x81, 0x80 | code, 0, 1, 0, UInt8(count), 0, 0, 0, 0] + question
    }
    switch answer {
    case .records(let records):
      return records.reduce(head(0, records.count)) { reply, strings in
        let data = strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return reply + [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60]
          + [UInt8(data.count >> 8), UInt8(data.count & 0xff)] + data
      }
    case .failure(let code): return head(code, 0)
    case .bytes(let bytes): return query[..<2] + bytes
    case .nothing: return nil
    }
  }

  private static func text(_ question: some Collection<UInt8>) -> String {
    var rest = question[...]
    var labels: [String] = []
    while let length = rest.popFirst(), length > 0 {
      labels.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
      rest = rest.dropFirst(Int(length))
    }
    return labels.joined(separator: ".")
  }
}
