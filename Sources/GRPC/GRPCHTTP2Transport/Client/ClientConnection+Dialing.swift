import EventLoop
import GRPCCore
import Glibc

/// How a connection gets its socket from a caller's dialer.
extension ClientConnection {
  /// Has a dialer connect.
  ///
  /// - Returns: The task, to be cancelled when the connection is given up.
  func dial(_ address: SocketAddress, by dialer: any Dialer) -> Task<Void, Never> {
    Task { [loop, weak self] in
      let result: Result<Int32, any Error>
      do {
        result = .success(try await dialer.dial(address, on: loop))
      } catch {
        result = .failure(error)
      }
      loop.execute { [weak self] in
        switch result {
        case .success(let descriptor):
          guard let self, self.state == .connecting else {
            Glibc.close(descriptor)
            return
          }
          self.adopt(descriptor)
        case .failure(let error):
          self?.lose((error as? RPCError)?.message ?? "\(error)")
        }
      }
    }
  }

  private func adopt(_ descriptor: Int32) {
    do {
      do {
        try Self.prepare(descriptor)
      } catch {
        Glibc.close(descriptor)
        throw error
      }
      try open(adopting: descriptor)
    } catch {
      lose("\(error)")
    }
  }

  /// Checks that a descriptor is what it should be, and makes it usable on a loop.
  private static func prepare(_ descriptor: Int32) throws(SystemError) {
    var type: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 else {
      throw SystemError("getsockopt", "the dialed descriptor \(descriptor)")
    }
    var address = sockaddr_storage()
    var addressLength = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isConnected = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(descriptor, $0, &addressLength) == 0
      }
    }
    guard isConnected else {
      throw SystemError("getpeername", "the dialed descriptor \(descriptor)")
    }
    guard type == Int32(SOCK_STREAM.rawValue) else {
      throw SystemError("dial", "the dialed descriptor \(descriptor)", code: EPROTOTYPE)
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw SystemError("fcntl", "the dialed descriptor \(descriptor)") }
  }
}
