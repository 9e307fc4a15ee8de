import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct RingHashTests {
  @Test(
    arguments: [
      ("", 0xef46_db37_51d8_e999), ("a", 0xd24e_c4f1_a98c_6e5b), ("abc", 0x44bc_2cf5_ad77_0999),
      ("message digest", 0x066e_d728_fcee_b3be),
      ("abcdefghijklmnopqrstuvwxyz", 0xcfe1_f278_fa89_835c),
      ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xaaa4_6907_d304_7814),
    ] as [(String, UInt64)])
  func hashesAsOthersDo(text: String, hash: UInt64) {
    #expect(XXHash64.hash(text) == hash)
  }

  private func owners(
    _ policy: inout RingHash, _ states: [ConnectivityState], weights: [Int] = [1, 1, 1, 1]
  ) -> [Int] {
    let picker = policy.update(
      .make(states) { number, endpoint in endpoint.weight = weights[number - 1] }
    ).picker
    return (0..<2000).map { picker.pick(["race": "race \($0)"]).number }
  }

  @Test func aKeyKeepsItsEndpoint() {
    var policy = RingHash(header: "race")
    let all: [ConnectivityState] = [.ready, .ready, .ready, .ready]
    let before = owners(&policy, all)
    #expect(owners(&policy, all) == before)
    for number in 1...4 { #expect((350...650).contains(before.count { $0 == number })) }
  }

  @Test func theOptionsKeyGoesBeforeTheHeader() {
    var policy = RingHash(header: "race")
    let picker = policy.update(.make([.ready, .ready, .ready, .ready])).picker
    let method = MethodDescriptor(fullyQualifiedService: "Service", method: "Method")
    for number in 0..<100 {
      let context = PickContext(
        method: method, metadata: ["race": "another"], requestHashKey: "race \(number)")
      #expect(picker.pick(context).number == picker.pick(["race": "race \(number)"]).number)
    }
  }

  @Test func onlyTheKeysOfAnEndpointThatIsGoneMove() {
    var policy = RingHash(header: "race")
    let before = owners(&policy, [.ready, .ready, .ready, .ready])
    // Gone from the name, or not to be reached: both move its keys, and no others.
    let fewer = owners(&policy, [.ready, .ready, .ready])
    var other = RingHash(header: "race")
    let failed = owners(&other, [.ready, .ready, .ready, .transientFailure])
    for (key, owner) in before.enumerated() where owner != 4 {
      #expect(fewer[key] == owner && failed[key] == owner)
    }
    #expect(!fewer.contains(4) && !failed.contains(4))
    #expect(owners(&policy, [.ready, .ready, .ready, .ready]) == before)
  }

  @Test func weightsShareTheRing() {
    var policy = RingHash(header: "race")
    let counts = owners(&policy, [.ready, .ready, .ready, .ready], weights: [1, 1, 1, 7])
    #expect((1250...1550).contains(counts.count { $0 == 4 }))
  }

  @Test func aKeyWaitsForItsEndpointToConnect() {
    var policy = RingHash(header: "race")
    let ready = owners(&policy, [.ready, .ready])
    var second = RingHash(header: "race")
    let picker = second.update(.make([.ready, .connecting])).picker
    let mine = ready.firstIndex(of: 2) ?? 0
    let others = ready.firstIndex(of: 1) ?? 0
    #expect(picker.pick(["race": "race \(mine)"]).number == 0)
    #expect(picker.pick(["race": "race \(others)"]).number == 1)
    // Who has no key need not wait.
    for _ in 0..<100 { #expect(picker.pick().number == 1) }
  }

  @Test func callsWithoutAKeyGoEverywhere() {
    var policy = RingHash(header: "race", generator: SeededGenerator(seed: 4))
    let picker = policy.update(.make([.ready, .ready, .ready])).picker
    var counts: [Int: Int] = [:]
    for _ in 0..<900 { counts[picker.pick().number, default: 0] += 1 }
    for number in 1...3 { #expect((counts[number] ?? 0) > 200) }
  }

  @Test(arguments: [(1, 4096), (1024, 4096), (4096, 4096), (10, 20)])
  func aRingHasItsSize(minimum: Int, maximum: Int) {
    for weights in [[1], [1, 1, 1], [3, 7], [1, 100]] {
      let members = weights.enumerated().map { index, weight in
        Ring.Member(
          Endpoint(addresses: [.ipv4(host: "10.0.0.\(index)", port: 80)], weight: weight))
      }
      let ring = Ring(members, minimum: minimum, maximum: maximum)
      #expect(ring.places.count <= maximum + 2 && ring.places.count >= weights.count)
      for member in members.indices { #expect(ring.places.contains { $0.member == member }) }
      #expect(ring.places.map(\.hash) == ring.places.map(\.hash).sorted())
    }
  }

  @Test func noWeightIsTooLarge() {
    var policy = RingHash(header: "race")
    let all: [ConnectivityState] = [.ready, .ready, .ready, .ready]
    let owners = owners(&policy, all, weights: [.max, .max, .max, 1])
    #expect(Set(owners).isSuperset(of: [1, 2, 3]))
  }
}
