extension [Float] {
  /// Finds the upper median without sorting more than that needs: this is part of the CPU time that is measured.
  mutating func selectMedian() -> Float {
    let middle = count / 2
    var (low, high) = (0, count - 1)
    while low < high {
      let pivot = self[low + (high - low) / 2]
      var (left, right) = (low, high)
      while left <= right {
        while self[left] < pivot { left += 1 }
        while self[right] > pivot { right -= 1 }
        guard left <= right else { break }
        swapAt(left, right)
        left += 1
        right -= 1
      }
      if middle <= right {
        high = right
      } else if middle >= left {
        low = left
      } else {
        break
      }
    }
    return self[middle]
  }
}
