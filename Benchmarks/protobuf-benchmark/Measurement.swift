import Glibc
import SwiftProtobuf

/// Measures what one message costs, and prints a line for each operation:
/// `CASE OPERATION NANOSECONDS BYTES ALLOCATIONS`.
struct Measurement {
  /// How much CPU time each operation is repeated for, in nanoseconds.
  let duration: Int
  /// The case and the operation to measure alone; nil measures all.
  let only: (name: String, operation: String)?

  func measure<M: Message>(_ name: String, _ message: M) throws {
    let binary: [UInt8] = try message.serializedBytes()
    let json: [UInt8] = try message.jsonUTF8Bytes()
    try run(name, "encode", bytes: binary.count) {
      (try message.serializedBytes() as [UInt8]).count
    }
    try run(name, "decode", bytes: binary.count) {
      try M(serializedBytes: binary).unknownFields.count
    }
    try run(name, "json-encode", bytes: json.count) {
      (try message.jsonUTF8Bytes() as [UInt8]).count
    }
    try run(name, "json-decode", bytes: json.count) {
      try M(jsonUTF8Bytes: json).unknownFields.count
    }
  }

  private func run(
    _ name: String, _ operation: String, bytes: Int, _ body: () throws -> Int
  ) throws {
    if let only, only != (name, operation) { return }
    var sum = try body()
    let before = Allocations.count()
    sum &+= try body()
    let allocations = Allocations.count() - before
    var iterations = 1
    while true {
      let start = cpuTime()
      for _ in 0..<iterations { sum &+= try body() }
      let elapsed = cpuTime() - start
      if elapsed >= duration {
        let nanoseconds = Double(elapsed) / Double(iterations)
        print(name, operation, nanoseconds, bytes, allocations, separator: "\t")
        break
      }
      iterations *= elapsed * 4 < duration ? 4 : 2
    }
    // The results must be wanted, or nothing would be computed.
    if sum == .min { print(sum) }
  }
}

/// The CPU time of this process in nanoseconds: that of the clock on the wall would count other
/// processes' work.
func cpuTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Heap allocations, as counted by `count-allocations.c` where that is preloaded.
enum Allocations {
  private typealias Counter = @convention(c) () -> Int

  private static let counter: Counter? = dlsym(dlopen(nil, RTLD_NOW), "counted_allocations")
    .map { unsafeBitCast($0, to: Counter.self) }

  static func count() -> Int { counter?() ?? 0 }
}
