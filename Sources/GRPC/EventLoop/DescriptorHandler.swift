/// Is told when a registered descriptor becomes ready.
public protocol DescriptorHandler: AnyObject {
  /// Called on the event loop.
  ///
  /// - Parameter readiness: What epoll reported.
  func descriptorIsReady(_ readiness: Readiness)
}

/// Is told when a tick of the loop ends, which is the moment to write what the tick produced.
public protocol EndOfTickHandler: AnyObject {
  /// Called on the event loop, once per request made with ``EventLoop/atEndOfTick(_:)``.
  func tickDidEnd()
}
