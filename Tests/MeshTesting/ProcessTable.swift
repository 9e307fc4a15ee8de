import CLinux
import Foundation
import Glibc

/// The machine's processes, as /proc shows them.
package enum ProcessTable {
  package struct Entry: Equatable, Sendable {
    package var id: Int32
    package var parent: Int32
    /// The executable's file name.
    package var executable: String
    package var arguments: [String]
  }

  /// The processes that run now, without those that have ended and wait for their parent.
  package static func entries() -> [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.compactMap(entry(of:))
  }

  package static func children(of parent: Int32) -> [Entry] {
    entries().filter { $0.parent == parent }
  }

  private static func entry(of id: Int32) -> Entry? {
    // The executable's name stands in parentheses and may hold anything; state and parent follow.
    guard let stat = text("/proc/\(id)/stat"), let end = stat.lastIndex(of: ")"),
      let executable = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(id)/exe"),
      let line = text("/proc/\(id)/cmdline")
    else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 1, fields[0] != "Z", let parent = Int32(fields[1]) else { return nil }
    return Entry(
      id: id, parent: parent,
      executable: executable.split(separator: "/").last.map(String.init) ?? executable,
      arguments: line.split(separator: "\0").map(String.init))
  }

  private static func text(_ path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    return (try? handle.readToEnd()).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Blocks until a process that is no child of this one has ended, or the time is over.
  ///
  /// - Returns: whether it has ended.
  package static func waitForEnd(of id: Int32, milliseconds: Int32) -> Bool {
    let descriptor = pidfd_open(id, 0)
    guard descriptor >= 0 else { return errno == ESRCH }
    defer { close(descriptor) }
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) == 1
  }
}
