import GRPCCore
import KartTesting
import Testing

@testable import GRPCHTTP2Transport

@Suite struct SubchannelStateMachineTests {
  @Test func connectsOnceAndAtOnce() {
    let subchannel = ManualSubchannel()
    #expect(subchannel.state == .idle)
    #expect(subchannel.connect() == .zero)
    #expect(subchannel.connect() == nil)
    #expect(subchannel.state == .connecting)
    #expect(subchannel.establish())
    #expect(subchannel.state == .ready)
  }

  @Test func waitsLongerAfterEachFailureCountedFromTheAttemptsStart() {
    let subchannel = ManualSubchannel()
    for wait in [1, 2, 4, 4] {
      let start = subchannel.now
      #expect(subchannel.connect() == start)
      subchannel.now += .milliseconds(100)
      #expect(subchannel.fail() == start + .seconds(wait))
      #expect(subchannel.state == .transientFailure)
      #expect(subchannel.connect() == nil)
      #expect(subchannel.endBackoff())
      subchannel.now = start + .seconds(wait)
    }
    _ = subchannel.connect()
    _ = subchannel.establish()
    #expect(subchannel.machine.failure == nil)
    subchannel.now += .seconds(60)
    #expect(subchannel.lose())
    let start = subchannel.now
    _ = subchannel.connect()
    #expect(subchannel.fail() == start + .seconds(1))
  }

  @Test func aPeerThatDropsEveryConnectionIsNotConnectedToInALoop() {
    let subchannel = ManualSubchannel()
    var starts: [Duration] = []
    for _ in 0..<5 {
      guard let start = subchannel.connect() else { break }
      starts.append(start)
      subchannel.now = start
      _ = subchannel.establish()
      _ = subchannel.lose()
    }
    #expect(starts == [.zero, .zero, .seconds(1), .seconds(3), .seconds(7)])
  }

  @Test func aResetMakesTheNextWaitTheFirst() {
    let subchannel = ManualSubchannel()
    for _ in 0..<3 {
      _ = subchannel.connect()
      _ = subchannel.fail()
      _ = subchannel.endBackoff()
    }
    #expect(!subchannel.resetBackoff())
    _ = subchannel.connect()
    #expect(subchannel.fail() == .seconds(1))
  }

  @Test func aResetBeginsAnAttemptThatIsPaced() {
    let subchannel = ManualSubchannel()
    for _ in 0..<2 {
      _ = subchannel.connect()
      _ = subchannel.establish()
      _ = subchannel.lose()
    }
    #expect(subchannel.connect() == .seconds(1))
    subchannel.now = .milliseconds(300)
    #expect(subchannel.resetBackoff())
    #expect(!subchannel.resetBackoff())
    // Its backoff begins with it.
    #expect(subchannel.fail() == .milliseconds(1300))
  }

  @Test func ignoresWhatComesTooLate() {
    let subchannel = ManualSubchannel()
    _ = subchannel.connect()
    #expect(subchannel.release())
    #expect(!subchannel.establish())
    #expect(subchannel.fail() == nil)
    #expect(!subchannel.lose())
    #expect(subchannel.state == .idle)
  }

  @Test func shutdownIsFinal() {
    let subchannel = ManualSubchannel()
    _ = subchannel.connect()
    subchannel.machine.shutDown()
    #expect(subchannel.state == .shutdown)
    #expect(!subchannel.establish())
    #expect(!subchannel.endBackoff())
    #expect(subchannel.connect() == nil)
    #expect(!subchannel.release())
  }

  /// Every event does something in the states that allow it and nothing in others, in any order.
  @Test(arguments: UInt64(0)..<32) func survivesAnyOrderOfEvents(seed: UInt64) {
    let subchannel = ManualSubchannel()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 where subchannel.state != .shutdown {
      subchannel.now += .milliseconds(Int.random(in: 0...2000, using: &random))
      let before = subchannel.state
      let acted: Bool
      let allowed: [ConnectivityState]
      switch Int.random(in: 0..<100, using: &random) {
      case ..<30: (acted, allowed) = (subchannel.connect() != nil, [.idle])
      case ..<50: (acted, allowed) = (subchannel.establish(), [.connecting])
      case ..<65: (acted, allowed) = (subchannel.fail() != nil, [.connecting])
      case ..<80: (acted, allowed) = (subchannel.endBackoff(), [.transientFailure])
      case ..<90: (acted, allowed) = (subchannel.lose(), [.ready])
      case ..<99: (acted, allowed) = (subchannel.release(), [.ready, .connecting])
      default:
        subchannel.machine.shutDown()
        (acted, allowed) = (true, [before])
      }
      #expect(acted == allowed.contains(before))
      #expect(acted || subchannel.state == before)
    }
  }
}

/// A state machine with a virtual clock that starts at zero.
private final class ManualSubchannel {
  var machine = SubchannelStateMachine(
    backoff: ConnectionBackoff(initial: .seconds(1), maximum: .seconds(4), multiplier: 2, jitter: 0)
  )
  var now = Duration.zero
  private var random = SeededGenerator(seed: 1)
  private let origin = ContinuousClock.now

  var state: ConnectivityState { machine.connectivity }

  func connect() -> Duration? {
    machine.connect(now: origin + now, using: &random).map { origin.duration(to: $0) }
  }

  func establish() -> Bool { machine.established(now: origin + now) }

  func fail() -> Duration? {
    machine.failed(RPCError(code: .unavailable, message: "refused"), using: &random)
      .map { origin.duration(to: $0) }
  }

  func endBackoff() -> Bool { machine.backoffEnded() }
  func resetBackoff() -> Bool { machine.resetBackoff(now: origin + now) }
  func lose() -> Bool { machine.lost(now: origin + now) }
  func release() -> Bool { machine.release() }
}
