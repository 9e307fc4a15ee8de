/// Where each kart is in a list, by its number.
struct KartIndex: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var kartNumber: Int32
    var place: Int32
  }

  /// By kart number: a field is small, so that this is quicker than a hash table.
  private var entries: [Entry] = []

  /// Where the kart is; nil for one that is not in the list.
  subscript(kartNumber: Int32) -> Int? {
    let index = entries.index(ofFirst: { $0.kartNumber >= kartNumber })
    guard index < entries.endIndex, entries[index].kartNumber == kartNumber else { return nil }
    return Int(entries[index].place)
  }

  /// Adds a kart that is not in the list.
  mutating func insert(_ kartNumber: Int32, at place: Int) {
    let index = entries.index(ofFirst: { $0.kartNumber >= kartNumber })
    entries.insert(Entry(kartNumber: kartNumber, place: Int32(place)), at: index)
  }
}
