import Testing

@testable import KartCommand

@Suite struct DisplayedTextTests {
  @Test(arguments: [
    ("", 0), ("Monty", 5), ("naïve", 5), ("Ωμέγα", 5), ("Жук", 3), ("±½°", 3),
    // East Asian Width W and F.
    ("東京", 4), ("かな", 4), ("カート", 6), ("한국", 4), ("\u{1112}\u{1161}\u{11ab}", 2),
    ("ＡＢ", 4), ("￥", 2), ("「」", 4), ("、。", 4), ("\u{3000}", 2), ("㈱", 2), ("𠮷", 2),
    ("\u{16fe0}", 2), ("\u{1b000}", 2), ("\u{a000}", 2), ("\u{4dc0}", 2), ("\u{3fffd}", 2),
    // Of half the width, or none of its own.
    ("ｶｰﾄ", 3), ("\u{ffe8}", 1), ("\u{303f}", 1), ("\u{a4d0}", 1), ("\u{d7b0}", 0),
    // Marks and what cannot be seen.
    ("e\u{301}", 1), ("か\u{3099}", 2), ("\u{301}", 0), ("a\u{20dd}", 1), ("a\u{200b}b", 2),
    ("a\u{200d}b", 2), ("\u{feff}a", 1), ("ก\u{e34}\u{e48}", 1), ("כּ", 1), ("soft\u{ad}", 5),
    // A vowel sign that takes a place.
    ("का", 2),
    // Emoji, of however many code points.
    ("🏁", 2), ("🏎️", 2), ("👍🏽", 2), ("👩‍🚀", 2), ("👨‍👩‍👧‍👦", 2), ("🇯🇵", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("1️⃣", 2),
    ("❤️", 2), ("⌚", 2), ("🫩", 2),
    // Characters that emoji are made of, by themselves.
    ("1", 1), ("#", 1), ("❤", 1), ("☎", 1), ("©", 1), ("a\u{fe0f}", 1),
  ])
  func countsTheCellsThatTextTakes(text: String, cells: Int) {
    #expect(text.cellCount == cells)
    #expect(text.prefix(cells: cells) == text)
    #expect(cells == 0 || text.prefix(cells: cells - 1) != text)
  }

  @Test(arguments: [
    ("Finite Loops", "Finite Loops"), ("a\u{1b}[2J\u{7}\r\nb", "a[2Jb"), ("e\u{301}", "e\u{301}"),
    ("\u{202e}evil\u{2066}\u{2069}", "evil"), ("a\u{2028}b\u{2029}c\u{85}d", "abcd"),
  ])
  func leavesOutWhatSteersADisplay(text: String, shown: String) {
    #expect(text.displayable == shown)
  }
}
