import EventLoop

/// Tells of a descriptor's readiness by a closure.
final class DescriptorWatch: DescriptorHandler {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  func descriptorIsReady(_ readiness: Readiness) {
    action()
  }
}
