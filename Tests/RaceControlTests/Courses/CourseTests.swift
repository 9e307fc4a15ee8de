import RaceControl
import Testing

@Suite struct CourseTests {
  static let courses = [Course.applePark, Course.infiniteLoop]

  @Test func `lengths are those of the construction`() {
    #expect(abs(Course.applePark.length - 1506) < 3)
    #expect(abs(Course.infiniteLoop.length - 999) < 3)
  }

  @Test(arguments: courses)
  func `a course is closed and wraps around`(course: Course) {
    let line = course.point(at: 0)
    #expect(line.distance(to: course.points[0]) < 1e-6)
    #expect(course.point(at: course.length).distance(to: line) < 1e-6)
    #expect(course.point(at: 3 * course.length + 25).distance(to: course.point(at: 25)) < 1e-6)
    #expect(course.point(at: -25).distance(to: course.point(at: course.length - 25)) < 1e-6)
  }

  @Test(arguments: courses)
  func `points follow each other without a jump`(course: Course) {
    for metre in stride(from: 0.0, to: course.length, by: 1) {
      let step = course.point(at: metre).distance(to: course.point(at: metre + 1))
      #expect(step > 0.9 && step < 1.0001)
    }
  }

  @Test(arguments: courses)
  func `a point on the course is projected onto itself`(course: Course) {
    for metre in stride(from: 0.5, to: course.length, by: 7) {
      let projection = course.projection(of: course.point(at: metre))
      #expect(abs(projection.distance - metre) < 1e-6)
      #expect(abs(projection.offset) < 1e-6)
    }
  }

  @Test(arguments: courses, [3.0, -3.0])
  func `a point beside the course keeps its side`(course: Course, offset: Double) {
    for metre in stride(from: 5.0, to: course.length, by: 11) {
      let projection = course.projection(of: course.point(at: metre, offset: offset))
      #expect(abs(projection.offset - offset) < 0.8)
      #expect(abs(projection.distance - metre) < 2)
    }
  }

  @Test func `a circle curves the same everywhere, to the right`() {
    for metre in stride(from: 0.0, to: Course.applePark.length, by: 10) {
      #expect(abs(Course.applePark.curvature(at: metre) * -240 - 1) < 0.03)
    }
  }

  @Test func `a rounded rectangle curves in its corners`() {
    let curvatures = stride(from: 0.0, to: Course.infiniteLoop.length, by: 5)
      .map { -Course.infiniteLoop.curvature(at: $0) }
    #expect(curvatures.allSatisfy { $0 > 0 })
    #expect((curvatures.max() ?? 0) > 5 * (curvatures.min() ?? 1))
  }

  @Test func `a square is a square`() {
    // 100 m sides, counterclockwise.
    let side = 100 / 111_195.08
    let square = Course(
      name: "Square",
      points: [(0, 0), (0, side), (side, side), (side, 0)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
      })
    #expect(abs(square.length - 400) < 0.001)
    #expect(square.curvature(at: 0) > 0)
    let place = square.point(at: 150)
    #expect(abs(place.latitude - side / 2) < 1e-9)
    #expect(abs(place.longitude - side) < 1e-9)
    let centre = square.projection(of: Coordinate(latitude: side * 0.4, longitude: side / 2))
    #expect(abs(centre.offset - 40) < 0.001)
    #expect(abs(centre.distance - 50) < 0.001)
  }
}
