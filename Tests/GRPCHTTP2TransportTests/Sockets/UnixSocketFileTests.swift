import CLinux
import EventLoop
import Glibc
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

/// How a server takes a path in the file system, and gives it back.
@Suite struct UnixSocketFileTests {
  private let folder = TemporaryFolder()

  private var path: String { "\(folder.path)/s.sock" }
  private var lockPath: String { "\(folder.path)/.s.sock.lock" }

  private func makeSocket(_ type: __socket_type = SOCK_STREAM) -> Int32 {
    socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  private func bind(_ socket: Int32) throws -> UnixSocketFile {
    try UnixSocketFile(binding: socket, to: path, backlog: 1)
  }

  /// Binds as a program does that knows nothing of locks.
  private func bindPlainly(
    listening: Bool, _ type: __socket_type = SOCK_STREAM
  ) throws -> Int32 {
    let socket = makeSocket(type)
    let address = try SocketAddressStorage(.unixDomainSocket(path: path))
    #expect(address.withSockaddr { Glibc.bind(socket, $0, $1) } == 0)
    if listening { #expect(listen(socket, 1) == 0) }
    return socket
  }

  private func canConnect() throws -> Bool {
    let address = try SocketAddressStorage(.unixDomainSocket(path: path))
    let socket = makeSocket()
    defer { close(socket) }
    return address.withSockaddr { connect(socket, $0, $1) } == 0
  }

  private var files: [String] {
    guard let folder = opendir(folder.path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { names.append(String(cString: $0)) }
      }
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  @Test func itListensWhenItAppearsAndLeavesNothingBehind() throws {
    let socket = makeSocket()
    let file = try bind(socket)
    #expect(files == [".s.sock.lock", "s.sock"])
    #expect(try canConnect())
    file.remove()
    close(socket)
    #expect(files.isEmpty)
  }

  @Test func itIsTakenForAsLongAsItsHolderLives() throws {
    let first = makeSocket()
    let second = makeSocket()
    let file = try bind(first)
    let error = #expect(throws: SystemError.self) { try bind(second) }
    #expect(error?.code == EADDRINUSE)
    #expect(error?.subject == "unix:\(path)")
    #expect(try canConnect())
    file.remove()
    try bind(second).remove()
    close(first)
    close(second)
  }

  @Test func whatAKilledProcessLeftBehindIsReplaced() throws {
    close(try bindPlainly(listening: true))
    // The lock's file is there as well, and nobody holds it.
    close(open(lockPath, O_CREAT | O_RDWR, 0o600))
    #expect(files == [".s.sock.lock", "s.sock"])
    let socket = makeSocket()
    let file = try bind(socket)
    #expect(try canConnect())
    file.remove()
    close(socket)
  }

  @Test func aSocketThatAnswersIsNotTaken() throws {
    let other = try bindPlainly(listening: true)
    let socket = makeSocket()
    let error = #expect(throws: SystemError.self) { try bind(socket) }
    #expect(error?.code == EADDRINUSE)
    #expect(files == ["s.sock"])
    close(other)
    close(socket)
  }

  @Test(arguments: [SOCK_DGRAM, SOCK_SEQPACKET])
  func aSocketOfAnotherTypeIsNotTakenUntilItIsDead(type: __socket_type) throws {
    let other = try bindPlainly(listening: type == SOCK_SEQPACKET, type)
    let inode = SocketFileIdentity(path: path)
    let socket = makeSocket()
    let error = #expect(throws: SystemError.self) { try bind(socket) }
    #expect(error?.code == EADDRINUSE)
    #expect(inode != nil && SocketFileIdentity(path: path) == inode)
    close(other)
    try bind(socket).remove()
    close(socket)
  }

  @Test func aSocketThatHasNoTimeToAnswerIsNotTaken() throws {
    let other = try bindPlainly(listening: true)
    let address = try SocketAddressStorage(.unixDomainSocket(path: path))
    var clients: [Int32] = []
    repeat {
      clients.append(makeSocket())
      _ = fcntl(clients[clients.count - 1], F_SETFL, O_NONBLOCK)
    } while address.withSockaddr { connect(clients[clients.count - 1], $0, $1) } == 0
    let socket = makeSocket()
    let error = #expect(throws: SystemError.self) { try bind(socket) }
    #expect(error?.code == EADDRINUSE)
    for descriptor in clients + [other, socket] { close(descriptor) }
  }

  @Test func aFileThatIsNoSocketIsNotReplaced() throws {
    close(open(path, O_CREAT | O_RDWR, 0o600))
    let socket = makeSocket()
    let error = #expect(throws: SystemError.self) { try bind(socket) }
    #expect(error?.code == EEXIST)
    #expect(files == ["s.sock"])
    close(socket)
  }

  @Test func theSocketOfAnotherIsNotRemoved() throws {
    let socket = makeSocket()
    let file = try bind(socket)
    unlink(path)
    let other = try bindPlainly(listening: true)
    file.remove()
    #expect(files == ["s.sock"])
    #expect(try canConnect())
    close(other)
    close(socket)
  }

  @Test func aPathThatIsTooLongIsAClearError() {
    let socket = makeSocket()
    let path = "\(folder.path)/\(String(repeating: "x", count: 120))"
    #expect(throws: InvalidSocketAddress.self) {
      try UnixSocketFile(binding: socket, to: path, backlog: 1)
    }
    #expect(files.isEmpty)
    close(socket)
  }

  @Test func aMissingFolderIsAClearError() {
    let socket = makeSocket()
    let error = #expect(throws: SystemError.self) {
      try UnixSocketFile(binding: socket, to: "\(folder.path)/no/s.sock", backlog: 1)
    }
    #expect(error?.code == ENOENT)
    close(socket)
  }
}
