import KartAPI
import Testing

@testable import KartCommand

@Suite struct MeshTableTests {
  @Test func showsWhoGetsTheCalls() {
    let status = Swiftkart_Mesh_V1_GetStatusResponse.with {
      $0.upstreams = [
        .with {
          $0.name = "schedule"
          $0.target = "unix-dir:/run/kart"
          $0.connectivity = .ready
          $0.policy = "round_robin"
          $0.resolved = true
          $0.attempts = 12
          $0.hedges = 2
          $0.ejections = 1
          $0.endpoints = [
            .with {
              $0.address = "unix:/run/kart/a.sock"
              $0.connectivity = .ready
              $0.picks = 9
              $0.connectionsMade = 1
            },
            .with {
              $0.address = "unix:/run/kart/b.sock"
              $0.connectivity = .ready
              $0.ejected = true
              $0.picks = 3
              $0.failedCalls = 2
              $0.ejections = 1
              $0.connectionsMade = 2
              $0.disconnections = 1
              $0.connectionsFailed = 4
              $0.lastError = "refused\u{1b}[2J"
            },
          ]
        },
        .with {
          $0.name = "trackers"
          $0.target = "dns:///trackers:80"
          $0.connectivity = .transientFailure
          $0.policy = "ring_hash_experimental"
          $0.waitingCalls = 3
        },
      ]
    }
    #expect(
      MeshTable.text(status) == """
        schedule: ready, round_robin, unix-dir:/run/kart
          12 attempts, 0 retries, 0 transparent retries, 2 hedges, 1 ejections, 0 calls waiting
          ENDPOINT               STATE    CALLS  FAILED  EJECTIONS  CONNECTED  LOST  NOT CONNECTED  LAST ERROR
          unix:/run/kart/a.sock  ready    9      0       0          1          0     0
          unix:/run/kart/b.sock  ejected  3      2       1          2          1     4              refused[2J

        trackers: failing, ring_hash_experimental, dns:///trackers:80
          0 attempts, 0 retries, 0 transparent retries, 0 hedges, 0 ejections, 3 calls waiting
          not resolved yet

        """)
    let lines = MeshTable.lines(status, width: 200, height: 50)
    #expect(lines.count == 9)
    #expect(lines.filter { $0.style == .heading }.map(\.text).first?.hasPrefix("schedule") == true)
    // A terminal would break a line that is too long in two, and scroll away what does not fit.
    let cut = MeshTable.lines(status, width: 12, height: 3)
    #expect(cut.map(\.text) == ["schedule: re", "  12 attempt", "  ENDPOINT  "])
  }
}
