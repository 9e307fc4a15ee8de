/// What a channel has counted at one address, whoever has served there. Confined to the channel's loop.
final class AddressCounters {
  @exclusivity(unchecked)
  var picks = 0
  @exclusivity(unchecked)
  var failedCalls = 0
  var ejections = 0
  /// Of the connections to those who have served there before.
  private(set) var connectionsMade = 0
  private(set) var connectionsFailed = 0
  private(set) var disconnections: [DisconnectError: Int] = [:]

  /// Keeps what was counted of a way that this channel has left.
  func add(_ way: AddressConnection) {
    connectionsMade += way.connectionsMade
    connectionsFailed += way.connectionsFailed
    disconnections.merge(way.disconnections, uniquingKeysWith: +)
    // Others may go on with its connection.
    if way.connectivity == .ready { disconnections[.shutdown, default: 0] += 1 }
  }
}

/// The counters of addresses, those included that the resolver does not know any more but may find again: a server
/// that was restarted is where it was, though it is another one.
struct AddressCountersTable {
  /// How many addresses are remembered that the resolver does not know any more.
  static let capacity = 256

  private var counters: [SocketAddress: (counters: AddressCounters, users: Int)] = [:]
  /// Those without users, first who has been so for longest.
  private var unused: [SocketAddress] = []

  /// How many addresses are known.
  var count: Int { counters.count }

  /// The counters for a new subchannel to an address.
  mutating func counters(at address: SocketAddress) -> AddressCounters {
    var entry = counters[address] ?? (AddressCounters(), 0)
    if entry.users == 0 { unused.removeAll { $0 == address } }
    entry.users += 1
    counters[address] = entry
    return entry.counters
  }

  /// A subchannel to an address is gone.
  mutating func release(_ address: SocketAddress) {
    guard var entry = counters[address], entry.users > 0 else { return }
    entry.users -= 1
    counters[address] = entry
    guard entry.users == 0 else { return }
    unused.append(address)
    if unused.count > Self.capacity { counters[unused.removeFirst()] = nil }
  }
}
