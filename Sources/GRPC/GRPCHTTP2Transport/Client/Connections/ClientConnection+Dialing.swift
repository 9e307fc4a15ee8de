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
        try ConnectedSocket.prepare(descriptor, called: "the dialed descriptor")
      } catch {
        Glibc.close(descriptor)
        throw error
      }
      try open(adopting: descriptor)
    } catch {
      lose("\(error)")
    }
  }
}
