import Glibc

/// The heap allocations of the thread, as counted by `count-allocations.c` where that is preloaded.
enum Allocations {
  private typealias Counter = @convention(c) () -> Int

  private static let counter: Counter? = dlsym(dlopen(nil, RTLD_NOW), "counted_allocations")
    .map { unsafeBitCast($0, to: Counter.self) }

  static func count() -> Int { counter?() ?? 0 }
}
