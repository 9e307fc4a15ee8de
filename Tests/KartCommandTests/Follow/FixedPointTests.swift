import Testing

@testable import KartCommand

struct FixedPointTests {
  @Test(
    arguments: [
      (37.3349, 5, "37.33490"), (-122.00905, 5, "-122.00905"), (-0.0000001, 5, "0.00000"),
      (0.96, 1, "1.0"), (59.5, 0, "60"), (-0.05, 2, "-0.05"), (.nan, 2, "?"), (.infinity, 2, "?"),
      (1e300, 2, "?"),
    ] as [(Double, Int, String)])
  func writesNumbers(value: Double, decimals: Int, text: String) {
    #expect(FixedPoint.text(value, decimals: decimals) == text)
  }

  @Test(
    arguments: [
      (0, "0.000"), (1234, "1.234"), (59_999, "59.999"), (62_345, "1:02.345"),
      (3_602_045, "1:00:02.045"), (-1500, "-1.500"),
    ] as [(Int64, String)])
  func writesTimes(milliseconds: Int64, text: String) {
    #expect(FixedPoint.time(.milliseconds(milliseconds)) == text)
  }
}
