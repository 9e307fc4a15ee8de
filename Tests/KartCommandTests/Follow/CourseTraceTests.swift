import KartAPI
import Testing

@testable import KartCommand

struct CourseTraceTests {
  /// Degrees of about a metre at the equator.
  private static let metre = 1e-5 * 100_000 / 111_320

  private func kart(_ number: Int32, east: Double, north: Double) -> KartLocations.Kart {
    .with {
      $0.number = number
      $0.latitude = north * Self.metre
      $0.longitude = east * Self.metre
    }
  }

  /// A square of 200 m, a place every 10 m.
  private var square: CourseTrace {
    var trace = CourseTrace()
    for step in 0...20 {
      let way = Double(step * 10)
      trace.add(
        .with {
          $0.karts = [
            kart(1, east: way, north: 0), kart(2, east: way, north: 200),
            kart(3, east: 0, north: way), kart(4, east: 200, north: way),
          ]
        })
    }
    return trace
  }

  @Test func drawsTheCourseWithTheKartsOnIt() {
    let karts = [kart(7, east: 0, north: 0), kart(12, east: 100, north: 200)]
    #expect(
      square.lines(karts, width: 21, height: 11) == [
        "··········12·········",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "·                   ·",
        "7····················",
      ])
  }

  @Test func keepsItsShapeWhereThereIsMoreRoom() {
    let lines = square.lines([], width: 200, height: 11)
    #expect(lines.count == 11)
    #expect(lines.map(\.count).max() == 21)
  }

  @Test func showsTheFirstKartOnTop() {
    let karts = [kart(7, east: 0, north: 0), kart(3, east: 1, north: 0)]
    #expect(square.lines(karts, width: 21, height: 11).last?.first == "7")
  }

  @Test(arguments: [(19, 11), (21, 4), (0, 0)])
  func needsRoom(width: Int, height: Int) {
    #expect(square.lines([], width: width, height: height).isEmpty)
  }

  @Test func makesNoCourseOfParkedKarts() {
    var trace = CourseTrace()
    trace.add(.with { $0.karts = [kart(1, east: 0, north: 0), kart(2, east: 10, north: 5)] })
    #expect(trace.lines([], width: 80, height: 24).isEmpty)
    #expect(CourseTrace().lines([], width: 80, height: 24).isEmpty)
  }

  @Test func leavesOutWhatIsNowhere() {
    var trace = square
    let nowhere = KartLocations.Kart.with {
      $0.number = 9
      $0.latitude = .nan
      $0.longitude = .infinity
    }
    trace.add(.with { $0.karts = [nowhere] })
    #expect(
      trace.lines([nowhere], width: 21, height: 11) == square.lines([], width: 21, height: 11))
  }
}
