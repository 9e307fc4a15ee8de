import GRPCCore
import Glibc

/// What a connection has carried, for channelz.
struct ConnectionStatistics {
  /// The streams; those that ended well have ended in order, whatever their calls' statuses.
  private(set) var streams = ChannelzCounts()
  /// The calls; those that ended well have ended with OK.
  private(set) var calls = ChannelzCounts()
  private(set) var messagesSent: Int64 = 0
  private(set) var messagesReceived: Int64 = 0
  var keepAlivesSent: Int64 = 0

  mutating func streamDidOpen() {
    streams.countStart()
    calls.started += 1
    calls.lastStarted = streams.lastStarted
  }

  mutating func streamDidClose(_ stream: HTTP2Stream) {
    if stream.hasEndedInOrder { streams.succeeded += 1 } else { streams.failed += 1 }
    if stream.isCallOK { calls.succeeded += 1 } else { calls.failed += 1 }
    add(messagesOf: stream)
    // The call may go on as another stream.
    stream.outbound.sentCount = 0
  }

  /// The statistics with the messages of streams that are still open.
  func including(_ open: [HTTP2Stream]) -> ConnectionStatistics {
    var all = self
    for stream in open { all.add(messagesOf: stream) }
    return all
  }

  /// The calls of a connection that is lost: those that had not ended have failed.
  var callsAtTheEnd: ChannelzCounts {
    var counts = calls
    counts.failed = counts.started - counts.succeeded
    return counts
  }

  private mutating func add(messagesOf stream: HTTP2Stream) {
    messagesSent += Int64(stream.outbound.sentCount)
    messagesReceived += Int64(stream.receivedCount)
  }
}

extension ChannelzCounts {
  /// Counts one that begins now.
  mutating func countStart() {
    started += 1
    // A few milliseconds of precision, for a few nanoseconds.
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    lastStarted = .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
  }
}

extension HTTP2Connection {
  /// The connection as channelz shows it. Only on the loop.
  func channelzSocket(local: String, remote: String) -> ChannelzSocket {
    let statistics = statistics.including(session.streams)
    var socket = ChannelzSocket(id: channelzID, local: local, remote: remote)
    socket.streams = statistics.streams
    socket.isClient = session.role == .client
    socket.messagesSent = statistics.messagesSent
    socket.messagesReceived = statistics.messagesReceived
    socket.keepAlivesSent = statistics.keepAlivesSent
    socket.security = channel?.tls?.channelzSecurity
    socket.localWindow = Int64(session.localWindowSize)
    socket.remoteWindow = Int64(session.remoteWindowSize)
    return socket
  }
}
