/// What a ``SocketChannel`` is good for: takes what it reads, and gives what it writes.
///
/// Everything is called on the channel's loop.
protocol SocketChannelHandler: AnyObject {
  /// The connection is established. An accepted channel is from the beginning, unless it has TLS.
  func channelDidConnect()

  /// Bytes came in.
  ///
  /// - Parameter bytes: Valid during the call only.
  func channelDidReceive(_ bytes: UnsafeRawBufferPointer)

  /// The socket can take output: at the end of a tick for which it was asked, or when it is
  /// writable again.
  ///
  /// - Parameter output: Where to append it; to stop near `SocketBuffers.outputSize`.
  /// - Returns: Whether there may be more.
  func channelWillWrite(into output: OutputBuffer) -> Bool

  /// The connection is over; this is the last call.
  ///
  /// - Parameter reason: Why.
  func channelDidClose(_ reason: SocketChannel.CloseReason)
}
