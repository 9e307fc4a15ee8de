extension Array {
  /// The index of the first element for which `isPast` holds, where it holds for all that follow too;
  /// the end where it holds for none.
  @inline(__always)
  func index(ofFirst isPast: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
