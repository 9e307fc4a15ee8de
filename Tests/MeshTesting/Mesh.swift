import CLinux
import Foundation
import Glibc
import KartTesting

/// A whole mesh of real processes, brought up by `kart up` in a state folder of its own.
package final class Mesh: Sendable {
  package let folder: TemporaryFolder
  /// The gateway's port on 127.0.0.1.
  package let port: UInt16
  package let up: RunningProcess

  /// The gateway as a gRPC name.
  package var target: String { "ipv4:127.0.0.1:\(port)" }
  /// The gateway as `host:port`.
  package var address: String { "127.0.0.1:\(port)" }

  /// Brings a mesh up and waits until it is ready.
  package init(trackers: Int = 3, demo: Bool) async throws {
    folder = TemporaryFolder()
    port = try Self.freePort()
    up = try RunningProcess(
      try Installation.executable("kart"),
      Self.arguments(port: port, folder: folder.path, trackers: trackers, demo: demo))
    try await waitUntilReady()
  }

  private func waitUntilReady() async throws {
    do {
      try await up.output.first { $0 == "ready" }
    } catch let ended as LineLog.Ended {
      throw NotReady(transcript: up.transcript, cause: "\(ended)")
    }
  }

  package struct NotReady: Error, CustomStringConvertible {
    package var transcript: String
    var cause: String
    package var description: String { "The mesh did not come up:\n\(transcript)" }
  }

  package static func arguments(
    port: UInt16, folder: String, trackers: Int = 3, demo: Bool
  ) -> [String] {
    [
      "up", "--listen", "ipv4:127.0.0.1:\(port)", "--state", folder, "--trackers", "\(trackers)",
      demo ? "--demo" : "--no-demo",
    ]
  }

  /// The processes of the mesh that run the named executable.
  package func processes(_ executable: String) -> [Int32] {
    ProcessTable.children(of: up.processID).filter { $0.executable == executable }.map(\.id)
      .sorted()
  }

  /// Every process that was started with this mesh's state folder or by those processes.
  package func allProcesses() -> [ProcessTable.Entry] {
    let entries = ProcessTable.entries()
    var ids: Set<Int32> = [up.processID]
    var family: [ProcessTable.Entry] = []
    var found = true
    while found {
      let more = entries.filter { !ids.contains($0.id) && ids.contains($0.parent) }
      family += more
      ids.formUnion(more.map(\.id))
      found = !more.isEmpty
    }
    return family
  }

  /// The sockets in the state folder.
  package func sockets() -> [String] {
    let files = FileManager.default.enumerator(atPath: folder.path)
    return (files?.compactMap { $0 as? String } ?? []).filter { name in
      var status = stat()
      return lstat("\(folder.path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
  }

  /// Runs `kart` against this mesh's gateway.
  package func kart(_ arguments: String...) throws -> RunningProcess {
    try kart(arguments)
  }

  package func kart(_ arguments: [String]) throws -> RunningProcess {
    try RunningProcess(
      try Installation.executable("kart"), arguments, environment: ["KART_TARGET": target])
  }

  /// Adds a race, as ProtoJSON, to the schedule.
  package func schedule(_ race: String) async throws {
    let create = try kart("schedule", "create", "-")
    try create.write(race)
    try create.closeInput()
    guard try await create.exit == .status(0) else {
      throw NotScheduled(transcript: create.transcript)
    }
  }

  package struct NotScheduled: Error, CustomStringConvertible {
    var transcript: String
    package var description: String { "The race was not scheduled:\n\(transcript)" }
  }

  /// A port that was free a moment ago.
  package static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) != 0 || getsockname(descriptor, $0, &length) != 0
      }
    }
    guard descriptor >= 0, !failed else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return UInt16(bigEndian: address.sin_port)
  }
}
