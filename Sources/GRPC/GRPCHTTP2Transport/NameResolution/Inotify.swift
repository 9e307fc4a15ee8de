import CLinux
import EventLoop
import Glibc

/// A loop's one inotify instance, of which a user may have only few, shared by all its watches.
///
/// Confined to its loop.
final class Inotify: DescriptorHandler {
  private unowned let loop: EventLoop
  private var registration: DescriptorRegistration?
  /// Who is to be told of each folder; the kernel has one watch for a folder, however many ask for it.
  private var watches: [Int32: [FolderWatch]] = [:]

  private static let changes =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    | UInt32(IN_ONLYDIR)

  private init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// The instance of a loop. Only on the loop.
  static func of(_ loop: EventLoop) -> Inotify {
    loop.attachment(Inotify.self) { Inotify(loop) }
  }

  /// Watches a folder.
  ///
  /// - Returns: The kernel's number for the folder, or -1 if it cannot be watched.
  func add(_ path: String, for watch: FolderWatch) -> Int32 {
    open()
    guard let registration else { return -1 }
    let number = inotify_add_watch(registration.descriptor, path, Self.changes)
    if number >= 0, watches[number]?.contains(where: { $0 === watch }) != true {
      watches[number, default: []].append(watch)
    }
    return number
  }

  /// Stops watching a folder.
  func remove(_ number: Int32, for watch: FolderWatch) {
    watches[number]?.removeAll { $0 === watch }
    guard let registration, watches[number]?.isEmpty == true else { return }
    watches[number] = nil
    inotify_rm_watch(registration.descriptor, number)
    guard watches.isEmpty else { return }
    loop.deregister(registration)
    close(registration.descriptor)
    self.registration = nil
  }

  private func open() {
    guard registration == nil else { return }
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    registration = try? loop.register(descriptor, for: .readable, handler: self)
    if registration == nil { close(descriptor) }
  }

  func descriptorIsReady(_ readiness: Readiness) {
    var concerned: [FolderWatch] = []
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while let registration {
        let count = read(registration.descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        collect(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &concerned)
      }
    }
    for watch in concerned { watch.didChange() }
  }

  private func collect(from events: UnsafeRawBufferPointer, into concerned: inout [FolderWatch]) {
    var offset = 0
    let head = MemoryLayout<inotify_event>.size
    while offset + head <= events.count {
      // The kernel writes whole, aligned events.
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let padded = events[(offset + head)..<min(offset + head + Int(event.len), events.count)]
      let name = padded.prefix { $0 != 0 }
      offset += head + Int(event.len)
      // An overflow of the kernel's queue is about nothing and everything.
      let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
      for watch in isLost ? watches.values.flatMap({ $0 }) : watches[event.wd] ?? []
      where isLost || watch.isConcerned(by: event.wd, name) {
        if !concerned.contains(where: { $0 === watch }) { concerned.append(watch) }
      }
      if event.mask & UInt32(IN_IGNORED) != 0 { watches[event.wd] = nil }
    }
  }
}
