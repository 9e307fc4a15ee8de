import Glibc

/// The memory that the kernel has given to the process.
enum ResidentMemory {
  /// glibc's `malloc_trim`, which Swift's module of glibc leaves out.
  private static let trim: (@convention(c) (Int) -> CInt)? = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
  }

  /// Its size in KiB, once what is freed has been given back.
  static func kibibytes() -> Int {
    _ = trim?(0)
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE))) >> 10
  }
}
