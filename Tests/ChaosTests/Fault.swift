import Foundation
import Glibc
import MeshTesting

/// What can befall a process of a mesh.
enum Fault: String, CaseIterable, Sendable {
  case killed
  /// Hangs for a while.
  case stopped
  /// Is asked to end, as when a new version is rolled out.
  case ended
  /// Its socket's name is gone for a while.
  case unnamed
  /// Everything from and to it takes long.
  case slow
  /// What it sends breaks off and goes on with garbage.
  case garbled
  case outOfDescriptors
  /// It can write no more to its files.
  case outOfSpace

  /// Lets it befall a process, and ends it, if it has an end.
  func befall(_ process: ProcessTable.Entry, for duration: Duration) async throws {
    switch self {
    case .killed: kill(process.id, SIGKILL)
    case .ended: kill(process.id, SIGTERM)
    case .stopped:
      kill(process.id, SIGSTOP)
      defer { kill(process.id, SIGCONT) }
      try await Task.sleep(for: duration)
    case .unnamed:
      try await withRenamedSocket(of: process) { _, _ in try await Task.sleep(for: duration) }
    case .slow, .garbled:
      try await withRenamedSocket(of: process) { path, hidden in
        let proxy = try FaultProxy(
          at: path, to: hidden,
          fault: self == .slow ? .delay(milliseconds: 150) : .garbage(afterFrames: 20))
        defer { proxy.close() }
        try await Task.sleep(for: duration)
      }
    case .outOfDescriptors:
      let count = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd")
        .count
      try await limit(process, "nofile", to: count, for: duration)
    case .outOfSpace:
      try await limit(process, "fsize", to: 4096, for: duration)
    }
  }

  private func withRenamedSocket(
    of process: ProcessTable.Entry, _ body: (_ path: String, _ hidden: String) async throws -> Void
  ) async throws {
    guard let flag = process.arguments.firstIndex(of: "--listen"),
      case let path = process.arguments[flag + 1].dropFirst("unix:".count), !path.isEmpty
    else { return }
    // Watchers of the folder do not look into another one.
    let hidden = "\(path.split(separator: "/").dropLast(2).map { "/\($0)" }.joined())/hidden.sock"
    guard rename(String(path), hidden) == 0 else { return }
    // The process binds its name anew as soon as that is free. To give it the old socket back would race with that,
    // and leave it with the name of one that is closed.
    defer { unlink(hidden) }
    try await body(String(path), hidden)
  }

  private func limit(
    _ process: ProcessTable.Entry, _ resource: String, to soft: Int, for duration: Duration
  ) async throws {
    func set(_ soft: String) async throws {
      let prlimit = try RunningProcess(
        "/usr/bin/prlimit", ["--pid", "\(process.id)", "--\(resource)=\(soft):"])
      _ = try await prlimit.exit
    }
    try await set("\(soft)")
    try await Task.sleep(for: duration)
    // A process that it killed has a successor without the limit.
    try await set(resource == "fsize" ? "unlimited" : "1024")
  }
}
