import Foundation
import Glibc
import MeshTesting
import Testing

/// Replicas that die and hang, with twenty followers watching.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct ReplicaChaosTests {
  @Test func nothingIsLostWhileReplicasAreKilled() async throws {
    let mesh = try await Mesh(demo: true)
    let spectators = Spectators(of: "Finite Loops", target: mesh.target)
    var random = SeededGenerator(seed: 2)
    // A minute, unless KART_CHAOS_SECONDS says how long.
    let seconds =
      ProcessInfo.processInfo.environment["KART_CHAOS_SECONDS"].flatMap { Int($0) } ?? 60
    let pauses = (0..<seconds * 10 / 25).map { _ in
      Duration.milliseconds(Int.random(in: 1000...4000, using: &random))
    }
    let choices = pauses.map { _ in Int.random(in: 0..<3, using: &random) }
    try await spectators.follow {
      for (pause, choice) in zip(pauses, choices) {
        try await Task.sleep(for: pause)
        let replicas = mesh.processes("tracker-service")
        if !replicas.isEmpty { kill(replicas[choice % replicas.count], SIGKILL) }
      }
    }
    spectators.expectNothingLost()
  }

  @Test func aReplicaThatHangsIsReplaced() async throws {
    let mesh = try await Mesh(demo: true)
    let spectators = Spectators(of: "Finite Loops", target: mesh.target)
    try await spectators.follow {
      // Each in its turn, since any of them may be the one that serves.
      for replica in mesh.processes("tracker-service") {
        for log in spectators.logs { _ = log.takeLongestGap() }
        kill(replica, SIGSTOP)
        try await Task.sleep(for: .seconds(10))
        kill(replica, SIGCONT)
        for (index, log) in spectators.logs.enumerated() {
          let gap = log.takeLongestGap()
          #expect(gap < .seconds(3), "follower \(index) saw nothing for \(gap)")
        }
      }
    }
    spectators.expectNothingLost()
  }
}
