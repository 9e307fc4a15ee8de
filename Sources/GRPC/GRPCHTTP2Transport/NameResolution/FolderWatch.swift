import CLinux
import EventLoop
import Glibc

/// Tells of every change in a folder, wherever the folder itself goes.
///
/// inotify watches an inode, not a name. So the nearest ancestor that exists is watched too, for the folder to
/// appear, to be replaced or to go, and after every such change the watches are placed anew.
/// Confined to its loop.
final class FolderWatch: DescriptorHandler {
  private let path: String
  private let loop: EventLoop
  private let onChange: () -> Void
  private var registration: DescriptorRegistration?
  private var folder: Int32 = -1
  private var ancestor: (watch: Int32, awaited: String) = (-1, "")

  private static let changes =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    | UInt32(IN_ONLYDIR)

  /// Starts to watch. Only on the loop.
  ///
  /// - Parameters:
  ///   - path: The folder, which need not exist.
  ///   - loop: The loop.
  ///   - onChange: Called on the loop after one or more changes.
  init(path: String, loop: EventLoop, onChange: @escaping () -> Void) {
    self.path = path
    self.loop = loop
    self.onChange = onChange
    let inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify >= 0 else { return }
    registration = try? loop.register(inotify, for: .readable, handler: self)
    if registration == nil { close(inotify) }
    placeWatches()
  }

  /// Stops watching. Only on the loop.
  func stop() {
    guard let registration else { return }
    loop.deregister(registration)
    close(registration.descriptor)
    self.registration = nil
  }

  /// Watches the folder that has the name now, and the nearest folder above it.
  ///
  /// The ancestor comes first: what happens to the folder in between is then told of.
  func placeWatches() {
    guard let inotify = registration?.descriptor else { return }
    var (above, awaited) = Self.split(path)
    var watch = inotify_add_watch(inotify, above, Self.changes)
    while watch < 0, above != "/", above != "." {
      (above, awaited) = Self.split(above)
      watch = inotify_add_watch(inotify, above, Self.changes)
    }
    let former = (ancestor.watch, folder)
    ancestor = (watch, awaited)
    folder = inotify_add_watch(inotify, path, Self.changes)
    for old in [former.0, former.1] where old >= 0 && old != ancestor.watch && old != folder {
      inotify_rm_watch(inotify, old)
    }
  }

  func descriptorIsReady(_ readiness: Readiness) {
    guard let inotify = registration?.descriptor else { return }
    var isChanged = false
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while true {
        let count = read(inotify, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        isChanged = concerns(UnsafeRawBufferPointer(rebasing: buffer[..<count])) || isChanged
      }
    }
    guard isChanged else { return }
    placeWatches()
    onChange()
  }

  /// Whether any of these events is about the folder: its ancestor may be a busy place.
  private func concerns(_ events: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    let head = MemoryLayout<inotify_event>.size
    while offset + head <= events.count {
      // The kernel writes whole, aligned events.
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = events[(offset + head)..<min(offset + head + Int(event.len), events.count)]
      offset += head + Int(event.len)
      guard event.wd == ancestor.watch, event.wd != folder else { return true }
      if String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) == ancestor.awaited {
        return true
      }
    }
    return false
  }

  /// A path's folder and last component.
  static func split(_ path: String) -> (folder: String, name: String) {
    let trimmed = path.dropLast(while: "/")
    guard let slash = trimmed.lastIndex(of: "/") else { return (".", String(trimmed)) }
    let folder = trimmed[..<slash].dropLast(while: "/")
    return (folder.isEmpty ? "/" : String(folder), String(trimmed[trimmed.index(after: slash)...]))
  }
}

extension StringProtocol {
  fileprivate func dropLast(while character: Character) -> SubSequence {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == character { end = index(before: end) }
    return self[..<end]
  }
}
