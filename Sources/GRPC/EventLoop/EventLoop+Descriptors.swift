import CLinux
import Glibc

extension EventLoop {
  /// Watches a descriptor. Only on the loop.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor that epoll can watch; it stays the caller's to close, after
  ///     ``deregister(_:)``.
  ///   - interest: What to wait for.
  ///   - edgeTriggered: Whether the handler is told only of changes. It must then read and write
  ///     until the descriptor has nothing more to give or to take.
  ///   - handler: Held until the descriptor is deregistered.
  /// - Returns: What the other functions need to name the registration.
  /// - Throws: ``SystemError`` if epoll refuses the descriptor.
  public func register(
    _ descriptor: Int32, for interest: Readiness, edgeTriggered: Bool = false,
    handler: any DescriptorHandler
  ) throws(SystemError) -> DescriptorRegistration {
    let registration = descriptors.insert(descriptor, handler)
    var event = epoll_event()
    event.events = interest.rawValue | (edgeTriggered ? EPOLLET.rawValue : 0)
    event.data.u64 = registration.token
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
      let error = SystemError("epoll_ctl")
      _ = descriptors.remove(registration)
      throw error
    }
    return registration
  }

  /// Changes what a registration waits for. Only on the loop.
  ///
  /// - Parameters:
  ///   - registration: A registration that is still in force.
  ///   - interest: What to wait for from now on.
  ///   - edgeTriggered: As in ``register(_:for:edgeTriggered:handler:)``.
  /// - Throws: ``SystemError`` if epoll refuses.
  public func update(
    _ registration: DescriptorRegistration, for interest: Readiness, edgeTriggered: Bool = false
  ) throws(SystemError) {
    var event = epoll_event()
    event.events = interest.rawValue | (edgeTriggered ? EPOLLET.rawValue : 0)
    event.data.u64 = registration.token
    guard epoll_ctl(epoll, EPOLL_CTL_MOD, registration.descriptor, &event) == 0 else {
      throw SystemError("epoll_ctl")
    }
  }

  /// Stops watching a descriptor: its handler is not told anything any more, not even what was
  /// already fetched. Only on the loop, and before the descriptor is closed.
  ///
  /// - Parameter registration: The registration; one not in force is ignored.
  public func deregister(_ registration: DescriptorRegistration) {
    guard descriptors.remove(registration) else { return }
    var event = epoll_event()
    epoll_ctl(epoll, EPOLL_CTL_DEL, registration.descriptor, &event)
  }
}
