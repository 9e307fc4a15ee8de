import Testing

@testable import KartCommand

struct ChildLifeTests {
  private let start = ContinuousClock.now

  @Test func waitsLongerAfterEachDeath() {
    var life = ChildLife()
    var waits: [Duration] = []
    for _ in 0..<8 {
      life.started(at: start)
      guard case .wait(let wait) = life.exited(at: start + .milliseconds(10)) else { break }
      waits.append(wait)
      #expect(life.waitEnded() == .spawn)
    }
    #expect(waits == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
  }

  @Test func forgivesAChildThatRanForLong() {
    var life = ChildLife()
    life.started(at: start)
    #expect(life.exited(at: start) == .wait(.milliseconds(50)))
    #expect(life.waitEnded() == .spawn)
    life.started(at: start)
    #expect(life.exited(at: start + .seconds(5)) == .wait(.milliseconds(50)))
  }

  @Test func countsAFailedSpawnAsADeath() {
    var life = ChildLife()
    #expect(life.exited(at: start) == .wait(.milliseconds(50)))
    #expect(life.waitEnded() == .spawn)
  }

  @Test func terminatesThenKills() {
    var life = ChildLife()
    life.started(at: start)
    #expect(life.stop() == .terminate)
    #expect(life.stop() == nil)
    #expect(life.graceEnded() == .kill)
    #expect(life.exited(at: start) == nil)
    #expect(life.hasStopped)
    #expect(life.graceEnded() == nil)
  }

  @Test func stopsWhileWaiting() {
    var life = ChildLife()
    life.started(at: start)
    _ = life.exited(at: start)
    #expect(life.stop() == nil)
    #expect(life.hasStopped)
    #expect(life.waitEnded() == nil)
    #expect(life.hasStopped)
  }
}
