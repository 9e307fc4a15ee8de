import EventLoop
import GRPCCore
import GRPCHTTP2Transport
import Glibc

/// A server, and what is done to it.
final class Soak: Sendable {
  enum Phase: String {
    case calls, connections
  }

  /// How often the memory is looked at in each phase.
  static let steps = 10
  /// What it may grow by from the third look to the last, in KiB: less than 2 bytes for each of a
  /// million calls, less than 150 for each of ten thousand connections.
  private static let tolerance = 1024
  private static let callers = 64

  let address: SocketAddress
  private let folder: String
  private let server: HTTP2ServerTransport
  private let loops = EventLoopGroup(count: 2, name: "soak")

  init() throws {
    var template = Array("/tmp/swiftkart-soak-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", "/tmp") }
    folder = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    address = .unixDomainSocket(path: "\(folder)/server.sock")
    var configuration = HTTP2ServerTransport.Configuration.defaults
    // An eighth of the calls is given up, and there are more of those in a second than a server lets pass.
    configuration.floodLimits.resets = RateLimit(burst: 1_000_000, perSecond: 1_000_000)
    server = HTTP2ServerTransport(
      listeningOn: address, configuration: configuration, eventLoops: loops)
  }

  /// Serves while `body` runs.
  func serving(_ body: () async throws -> Void) async throws {
    defer { rmdir(folder) }
    let router = SoakService.router()
    async let listening: Void = server.listen(router: router)
    _ = try await server.listeningAddresses
    do {
      try await body()
    } catch {
      server.beginGracefulShutdown()
      throw error
    }
    server.beginGracefulShutdown()
    try await listening
  }

  /// Does everything of one kind, and prints what memory that takes.
  ///
  /// - Returns: Whether it stays the same.
  func run(_ phase: Phase, count: Int) async throws -> Bool {
    say(Self.row(phase.rawValue, "resident KiB"))
    let clients = phase == .calls ? try makeClients() : []
    var sizes: [Int] = []
    for step in 1...Self.steps {
      switch phase {
      case .calls: try await makeCalls(count / Self.steps, by: clients)
      case .connections: try await makeConnections(count / Self.steps)
      }
      let size = ResidentMemory.kibibytes()
      sizes.append(size)
      say(Self.row("\(count / Self.steps * step)", "\(size)"))
    }
    for client in clients { client.transport.beginGracefulShutdown() }
    for client in clients { await client.connection.value }
    return Self.isFlat(phase, sizes)
  }

  private static func row(_ cells: String...) -> String {
    cells.map { String(repeating: " ", count: max(0, 14 - $0.count)) + $0 }.joined()
  }

  private static func isFlat(_ phase: Phase, _ sizes: [Int]) -> Bool {
    let growth = sizes[steps - 1] - sizes[2]
    guard growth > tolerance else { return true }
    say("The \(phase.rawValue) cost \(growth) KiB of memory that do not come back.")
    return false
  }

  // MARK: Calls

  private struct Client: Sendable {
    let transport: HTTP2ClientTransport
    let connection: Task<Void, Never>
  }

  private func makeClient() throws -> Client {
    let transport = try HTTP2ClientTransport(target: "\(address)", eventLoops: loops)
    return Client(
      transport: transport,
      connection: Task { try? await transport.connect() })
  }

  private func makeClients() throws -> [Client] {
    try (0..<4).map { _ in try makeClient() }
  }

  private func makeCalls(_ count: Int, by clients: [Client]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<Self.callers {
        let transport = clients[caller % clients.count].transport
        let share = count * (caller + 1) / Self.callers - count * caller / Self.callers
        group.addTask {
          for index in 0..<share { try await SoakCall(of: index).make(over: transport) }
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: Connections

  private func makeConnections(_ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for index in stride(from: worker, to: count, by: 8) {
            if index / 8 % 4 == 3 {
              try self.makeAbruptConnection()
            } else {
              try await self.makeConnection()
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func makeConnection() async throws {
    let client = try makeClient()
    try await SoakCall.unary.make(over: client.transport)
    client.transport.beginGracefulShutdown()
    await client.connection.value
  }

  /// Begins to speak HTTP/2 and goes away in the middle of a call.
  private func makeAbruptConnection() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: "\(folder)/server.sock".utf8) }
    let isConnected = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { throw SystemError("connect", "\(address)") }
    _ = Self.beginning.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The preface, settings, and the headers of a request whose message never comes.
  private static let beginning: [UInt8] = {
    func field(_ name: String, _ value: String) -> [UInt8] {
      [0x10, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
    }
    let block =
      [0x83, 0x86] + field(":path", "/soak.Service/Stream")
      + field("content-type", "application/grpc") + field("te", "trailers")
    return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8 + [0, 0, 0, 4, 0, 0, 0, 0, 0]
      + [0, 0, UInt8(block.count), 1, 4, 0, 0, 0, 1] + block
  }()
}

/// Writes a line, which is read as it comes.
func say(_ line: String, _ descriptor: Int32 = STDOUT_FILENO) {
  _ = Array("\(line)\n".utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
