/// The batches of one producer that may not be on disk yet, by number, of bounded count
/// and size.
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
  /// How many bytes of batches may be kept; the last one may go beyond.
  let byteCapacity: Int
  /// Every batch up to this number is on disk.
  private(set) var durable: UInt64
  /// The number of the batch added last.
  private(set) var last: UInt64
  /// Those with the numbers from `durable + 1` on.
  private var kept: [(batch: Batch, bytes: Int)] = []
  private var bytes = 0

  /// - Parameters:
  ///   - durable: Every batch up to this number is on disk.
  ///   - last: The number before the first batch that will be added. One smaller than `durable` means
  ///     a producer that makes the same batches again: those on disk are dropped as they come.
  ///   - capacity: How many batches may be kept.
  ///   - byteCapacity: How many bytes of batches may be kept.
  init(durable: UInt64, last: UInt64, capacity: Int, byteCapacity: Int = .max) {
    self.durable = durable
    self.last = last
    self.capacity = capacity
    self.byteCapacity = byteCapacity
  }

  var count: Int {
    kept.count
  }

  var isFull: Bool {
    kept.count >= capacity || bytes >= byteCapacity
  }

  /// Adds the next batch, unless it is on disk already.
  ///
  /// - Parameters:
  ///   - size: How many bytes it has.
  ///   - make: Makes the batch of its number.
  mutating func append(bytes size: Int = 0, _ make: (_ number: UInt64) -> Batch) {
    last += 1
    guard last > durable else { return }
    kept.append((make(last), size))
    bytes += size
  }

  /// The first of those kept, to be sent next.
  ///
  /// - Parameters:
  ///   - count: How many at most.
  ///   - limit: How many bytes at most; the first one goes in any case.
  func first(_ count: Int, bytes limit: Int = .max) -> [Batch] {
    var first: [Batch] = []
    var bytes = 0
    for next in kept.prefix(count) {
      bytes += next.bytes
      if bytes > limit, !first.isEmpty { break }
      first.append(next.batch)
    }
    return first
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
    let count = Int(number - durable)
    bytes -= kept.prefix(count).reduce(0) { $0 + $1.bytes }
    kept.removeFirst(count)
    durable = number
  }
}
