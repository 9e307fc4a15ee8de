import Testing

@testable import GRPCHTTP2Transport

@Suite struct AddressCountersTests {
  private func address(_ number: Int) -> SocketAddress {
    .unixDomainSocket(path: "/run/\(number).sock")
  }

  @Test func anAddressKeepsItsCountersWhileItIsAway() {
    var table = AddressCountersTable()
    let counters = table.counters(at: address(0))
    // Its successor is there before it is gone.
    #expect(table.counters(at: address(0)) === counters)
    table.release(address(0))
    table.release(address(0))
    #expect(table.counters(at: address(0)) === counters)
    #expect(table.counters(at: address(1)) !== counters)
  }

  @Test func onlySomeThatAreAwayAreRemembered() {
    var table = AddressCountersTable()
    let used = table.counters(at: address(0))
    var first: AddressCounters?
    for number in 1...(2 * AddressCountersTable.capacity) {
      let counters = table.counters(at: address(number))
      if first == nil { first = counters }
      table.release(address(number))
    }
    #expect(table.count == AddressCountersTable.capacity + 1)
    #expect(table.counters(at: address(0)) === used)
    #expect(table.counters(at: address(1)) !== first)
    // One that came back is not among those that are forgotten.
    let last = 2 * AddressCountersTable.capacity
    let back = table.counters(at: address(last))
    for number in 1...AddressCountersTable.capacity {
      _ = table.counters(at: address(number))
      table.release(address(number))
    }
    #expect(table.counters(at: address(last)) === back)
  }
}
