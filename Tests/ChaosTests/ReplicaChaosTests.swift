import Foundation
import Glibc
import MeshTesting
import Testing

/// Replicas that hang, with twenty followers watching.
@Suite(.wholeMachine, .timeLimit(.minutes(20))) struct ReplicaChaosTests {
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
