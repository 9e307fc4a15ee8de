import EventLoop

/// Tells of every change in a folder, wherever the folder itself goes.
///
/// inotify watches an inode, not a name. So the nearest ancestor that exists is watched too, for the folder to
/// appear, to be replaced or to go, and after every such change the watches are placed anew.
/// Confined to its loop.
final class FolderWatch {
  private let path: String
  private let file: String?
  private let inotify: Inotify
  private let onChange: () -> Void
  private var isStopped = false
  private var folder: Int32 = -1
  private var ancestor: (watch: Int32, awaited: String) = (-1, "")

  /// Starts to watch. Only on the loop.
  ///
  /// - Parameters:
  ///   - path: The folder, which need not exist.
  ///   - file: The one name in the folder that matters; all do if nil.
  ///   - loop: The loop.
  ///   - onChange: Called on the loop after one or more changes.
  init(path: String, file: String? = nil, loop: EventLoop, onChange: @escaping () -> Void) {
    self.path = path
    self.file = file
    self.onChange = onChange
    inotify = .of(loop)
    placeWatches()
  }

  /// Stops watching. Only on the loop.
  func stop() {
    isStopped = true
    inotify.remove(ancestor.watch, for: self)
    inotify.remove(folder, for: self)
  }

  /// Watches the folder that has the name now, and the nearest folder above it.
  ///
  /// The ancestor comes first: what happens to the folder in between is then told of.
  func placeWatches() {
    guard !isStopped else { return }
    let former = [ancestor.watch, folder]
    let passed = watchNearestAncestor()
    folder = inotify.add(path, for: self)
    for old in former + passed where old >= 0 && old != ancestor.watch && old != folder {
      inotify.remove(old, for: self)
    }
  }

  /// Watches the nearest folder above that exists.
  ///
  /// The search goes up, and then down again: what was missing may have come before the folder that would tell of
  /// it was watched.
  ///
  /// - Returns: The watches that were passed on the way down.
  private func watchNearestAncestor() -> [Int32] {
    var missing: [(folder: String, name: String)] = []
    var (above, awaited) = Self.split(path)
    var watch = inotify.add(above, for: self)
    while watch < 0, above != "/", above != "." {
      missing.append((above, awaited))
      (above, awaited) = Self.split(above)
      watch = inotify.add(above, for: self)
    }
    var passed: [Int32] = []
    while watch >= 0, let below = missing.popLast() {
      let deeper = inotify.add(below.folder, for: self)
      guard deeper >= 0 else { break }
      passed.append(watch)
      (watch, awaited) = (deeper, below.name)
    }
    ancestor = (watch, awaited)
    return passed
  }

  /// Whether a change in a folder is about this one: its ancestor may be a busy place.
  func isConcerned(by folder: Int32, _ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    if folder == self.folder,
      file == nil || name.isEmpty || name.elementsEqual(file?.utf8 ?? "".utf8)
    {
      return true
    }
    return folder == ancestor.watch && (name.isEmpty || name.elementsEqual(ancestor.awaited.utf8))
  }

  /// Something changed that concerns this folder.
  func didChange() {
    guard !isStopped else { return }
    placeWatches()
    onChange()
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
