import RaceControl
import Testing

@Suite struct FinishTests {
  private func laps(
    distance: Int32, kind: SessionKind = .race, _ seen: Observation.Kind...
  ) -> [[Int32]] {
    var state = RaceState()
    _ = state.apply(.of(.start(kind, laps: distance)))
    for kind in seen { _ = state.apply(.of(kind)) }
    return state.standings.map { [$0.kartNumber, $0.lap] }
  }

  @Test func `the leader takes the flag at the distance and laps no more`() {
    #expect(
      laps(distance: 2, .cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .cross(1, lap: 3, 120))
        == [[1, 2]])
  }

  @Test func `each other kart finishes at its next crossing`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(2, lap: 1, 60), .cross(3, lap: 1, 61),
        .cross(1, lap: 2, 80), .cross(2, lap: 2, 119), .cross(2, lap: 3, 170),
        .cross(3, lap: 2, 121)) == [[1, 2], [2, 2], [3, 2]])
  }

  @Test func `a lapped kart finishes with the laps it has at its next crossing`() {
    #expect(
      laps(
        distance: 3, .cross(1, lap: 1, 40), .cross(2, lap: 1, 59), .cross(1, lap: 2, 80),
        .cross(1, lap: 3, 120), .cross(2, lap: 2, 121), .cross(2, lap: 3, 180))
        == [[1, 3], [2, 2]])
  }

  @Test func `a crossing recorded after the leader's but made before is not the finish`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .cross(2, lap: 1, 79),
        .cross(2, lap: 2, 118), .cross(2, lap: 3, 160)) == [[1, 2], [2, 2]])
  }

  @Test func `a crossing recorded before the leader's but made after it was the finish`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(2, lap: 1, 81), .cross(1, lap: 2, 80),
        .cross(2, lap: 2, 125)) == [[1, 2], [2, 1]])
  }

  @Test func `without a distance only the flag finishes`() {
    #expect(
      laps(
        distance: 0, .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .show(.finish),
        .cross(1, lap: 2, 80), .cross(2, lap: 2, 81), .cross(1, lap: 3, 120))
        == [[1, 2], [2, 2]])
  }

  @Test func `a flag shown from a time on was taken by who crossed then`() {
    #expect(
      laps(
        distance: 0, .cross(1, lap: 1, 40), .cross(2, lap: 1, 39.9), .show(.finish, from: 40),
        .cross(1, lap: 2, 80), .cross(2, lap: 2, 81), .cross(2, lap: 3, 130))
        == [[2, 2], [1, 1]])
  }

  @Test func `the flag may come before the distance`() {
    #expect(
      laps(
        distance: 5, .cross(1, lap: 1, 40), .show(.red), .show(.finish), .cross(1, lap: 2, 80),
        .cross(1, lap: 3, 120)) == [[1, 2]])
  }

  @Test func `a flag shown by mistake and taken back lets the race go on`() {
    #expect(
      laps(
        distance: 0, .cross(1, lap: 1, 40), .show(.finish), .cross(1, lap: 2, 80), .show(.green),
        .cross(1, lap: 3, 120), .cross(1, lap: 4, 160)) == [[1, 4]])
  }

  @Test func `another flag after the distance changes nothing`() {
    #expect(
      laps(
        distance: 1, .cross(1, lap: 1, 40), .show(.finish), .show(.green), .cross(1, lap: 2, 80))
        == [[1, 1]])
  }

  @Test func `a correction that takes the distance from the only finisher resumes the race`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(1, lap: 2, 80), .cross(2, lap: 1, 81),
        .correct(1, laps: 1, 40), .cross(2, lap: 2, 125), .cross(1, lap: 2, 130))
        == [[2, 2], [1, 2]])
  }

  @Test func `a finisher whose laps are cut stays finished while another has the distance`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .cross(1, lap: 2, 80),
        .cross(2, lap: 2, 81), .correct(1, laps: 1, 40), .cross(1, lap: 2, 120))
        == [[2, 2], [1, 1]])
  }

  @Test func `the distance is reached when the first of those reached it who are left`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .cross(1, lap: 2, 80),
        .cross(2, lap: 2, 81), .correct(1, laps: 1, 40), .cross(3, lap: 1, 80.5),
        .cross(3, lap: 2, 121), .cross(3, lap: 3, 161)) == [[2, 2], [3, 2], [1, 1]])
  }

  @Test func `a correction can bring a kart to the distance`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .correct(1, laps: 2, 80),
        .cross(1, lap: 3, 120), .cross(2, lap: 2, 82), .cross(2, lap: 3, 122))
        == [[1, 2], [2, 2]])
  }

  @Test(arguments: [Observation.Kind.correct(1, laps: 2, 81), .cross(1, lap: 2, 81)])
  func `who crossed after a leader that is told of late has finished`(
    late: Observation.Kind
  ) {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .cross(2, lap: 1, 41), .cross(3, lap: 1, 81.5),
        .cross(2, lap: 2, 82), late, .cross(3, lap: 2, 123)) == [[1, 2], [2, 2], [3, 1]])
  }

  @Test func `a correction to the distance after the flag leaves the finished finished`() {
    #expect(
      laps(
        distance: 2, .cross(1, lap: 1, 40), .show(.finish), .cross(1, lap: 2, 80),
        .correct(1, laps: 1, 40), .cross(1, lap: 2, 120)) == [[1, 1]])
  }

  @Test func `practice ends by the flag, whatever the laps`() {
    #expect(
      laps(
        distance: 1, kind: .practice, .cross(1, lap: 0, 10), .cross(1, lap: 1, 50),
        .cross(1, lap: 2, 89), .show(.finish), .cross(1, lap: 3, 130), .cross(1, lap: 4, 170))
        == [[1, 3]])
  }

  @Test(
    arguments: [
      ([.cross(1, lap: 1, 40)], false),
      ([.cross(1, lap: 1, 40), .cross(1, lap: 2, 80)], true),
      ([.show(.green), .cross(1, lap: 1, 40), .show(.finish)], true),
      ([.show(.finish), .show(.green)], false),
      ([.cross(1, lap: 2, 80), .correct(1, laps: 1, 40)], false),
      ([.cross(1, lap: 2, 80), .start(laps: 2)], false),
    ] as [([Observation.Kind], Bool)])
  func `a session is over at the distance or the flag`(seen: [Observation.Kind], isOver: Bool) {
    var state = RaceState()
    _ = state.apply(.of(.start(laps: 2)))
    for kind in seen { _ = state.apply(.of(kind)) }
    #expect(state.isOver == isOver)
  }
}
