/// The batches of one producer that may not be on disk yet, by number, of bounded count.
///
/// ```
///   1 … durable │ durable + 1 … last │ the next to be added
///    on disk    │      kept here     │
/// ```
struct UnacknowledgedBatches<Batch: Sendable>: Sendable {
  /// The answers of the other side do not fit what was sent.
  struct Overtaken: Error, Hashable {
    /// The number that was said to be on disk.
    var durable: UInt64
    /// The last one that this producer has given away.
    var last: UInt64
  }

  /// How many batches may be kept.
  let capacity: Int
  /// Every batch up to this number is on disk.
  private(set) var durable: UInt64
  /// The number of the batch added last.
  private(set) var last: UInt64
  /// Those with the numbers from `durable + 1` on.
  private var kept: [Batch] = []

  /// - Parameters:
  ///   - durable: Every batch up to this number is on disk.
  ///   - last: The number before the first batch that will be added. One smaller than `durable` means
  ///     a producer that makes the same batches again: those on disk are dropped as they come.
  ///   - capacity: How many batches may be kept.
  init(durable: UInt64, last: UInt64, capacity: Int) {
    self.durable = durable
    self.last = last
    self.capacity = capacity
  }

  var count: Int {
    kept.count
  }

  var isFull: Bool {
    kept.count >= capacity
  }

  /// Adds the next batch, unless it is on disk already.
  ///
  /// - Parameter make: Makes the batch of its number.
  mutating func append(_ make: (_ number: UInt64) -> Batch) {
    last += 1
    if last > durable { kept.append(make(last)) }
  }

  /// The first of those kept, to be sent next.
  func first(_ count: Int) -> ArraySlice<Batch> {
    kept.prefix(count)
  }

  /// Drops what is on disk.
  ///
  /// - Parameter number: Every batch up to this number is on disk. One that was known already
  ///   changes nothing.
  /// - Throws: ``Overtaken`` where this producer has not given that number away: there is another
  ///   of the same name.
  mutating func acknowledge(through number: UInt64) throws(Overtaken) {
    guard number > durable else { return }
    guard number <= max(last, durable) else { throw Overtaken(durable: number, last: last) }
    kept.removeFirst(Int(number - durable))
    durable = number
  }
}
