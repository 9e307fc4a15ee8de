import EventLoop
import GRPCCore

/// Reaches a vsock port of a virtual machine through the Unix socket of its monitor, as Firecracker and Cloud
/// Hypervisor have it: the client writes `CONNECT <port>`, the monitor answers `OK <host's port>`, and then the
/// server is at the other end.
///
/// The channel's target is the monitor's socket.
public struct ForwardedVsockDialer: Dialer, Hashable {
  /// The port on which the server in the machine listens.
  public var port: UInt32

  /// Makes a dialer.
  ///
  /// - Parameter port: The port on which the server in the machine listens.
  public init(port: UInt32) {
    self.port = port
  }

  /// Connects to the monitor and has it connect on.
  ///
  /// - Parameters:
  ///   - address: The monitor's socket.
  ///   - eventLoop: The loop on which to wait.
  /// - Returns: A connected socket.
  /// - Throws: `RPCError` with code `unavailable` if the monitor is not there or refuses the port.
  public func dial(_ address: SocketAddress, on eventLoop: EventLoop) async throws -> Int32 {
    let request = MonitorRequest(port: port, address: address, loop: eventLoop)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        eventLoop.execute { request.start(continuation) }
      }
    } onCancel: {
      eventLoop.execute { request.fail(CancellationError()) }
    }
  }
}
