import Testing

@testable import RaceFeeds

@Suite struct KartNumberingTests {
  @Test(
    arguments: [
      ("1", 1), ("7", 7), ("99999", 99_999), ("007", 1_001_414), ("4A", 1_000_196),
      ("4a", 1_000_196), ("0", 1_000_001), ("ZZZZZ", 70_343_956),
    ] as [(String, Int32)])
  func `a number depends on its text alone`(text: String, number: Int32) {
    var numbering = KartNumbering()
    let assigned = numbering.assign(text, to: "reg")
    #expect(assigned.kartNumber == number)
    #expect(!assigned.isDuplicate)
  }

  @Test func `no two texts have the same number`() {
    var numbering = KartNumbering()
    let characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    var texts = characters
    for first in characters { texts += characters.map { first + $0 } }
    texts += (0...999).map { "00\($0)" } + (100...20_000).map(String.init)
    texts += ["", "123456", "-1", "+1", "1.5", "№ 5", "GT-R", "100000"]
    let numbers = texts.map { numbering.assign($0, to: "reg \($0)").kartNumber }
    #expect(Set(numbers).count == Set(texts).count)
    #expect(numbers.allSatisfy { $0 > 0 })
  }

  @Test func `a taken number gives way, to the same for the same registration`() {
    var numbering = KartNumbering()
    #expect(numbering.assign("7", to: "a") == (7, false))
    let second = numbering.assign("7", to: "b")
    #expect(second.isDuplicate)
    #expect(second.kartNumber >= 1_000_000_000)
    #expect(numbering.assign("7", to: "a") == (7, false))
    #expect(numbering.assign("7", to: "b") == second)
  }
}
