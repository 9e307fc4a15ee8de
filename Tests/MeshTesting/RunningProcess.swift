import Foundation
import Glibc
import KartTesting
import Synchronization

/// A process that a test has started. It is killed when the test lets go of it.
package final class RunningProcess: Sendable {
  /// How a process ended.
  package enum Exit: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  package let output = LineLog()
  package let errorOutput = LineLog()
  package let processID: Int32

  private let process: Process
  private let input: FileHandle
  private let end = Latch<Exit>()

  /// Starts an executable, with the given environment added to the test's own.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    let process = Process()
    self.process = process
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (forReading, input) = try Self.pipe()
    self.input = input
    let streams = [forReading, try Self.pipe(into: output), try Self.pipe(into: errorOutput)]
    process.standardInput = streams[0]
    process.standardOutput = streams[1]
    process.standardError = streams[2]
    let end = end
    process.terminationHandler = { process in
      let status = process.terminationStatus
      end.close(with: process.terminationReason == .exit ? .status(status) : .signal(status))
    }
    try Self.births.withLock { _ in
      // A script's job in the background ignores Ctrl-C, and so does what it starts.
      let disposition = signal(SIGINT, SIG_DFL)
      defer { signal(SIGINT, disposition) }
      try process.run()
    }
    processID = process.processIdentifier
    for stream in streams { try stream.close() }
  }

  deinit {
    if end.current == nil { kill(processID, SIGKILL) }
  }

  // Held while a process is started, and while there is a pipe that it would inherit: one of another
  // test's, which would not end before both have.
  private static let births = Mutex(())

  // Foundation's own pipes are inherited.
  private static func pipe() throws -> (forReading: FileHandle, forWriting: FileHandle) {
    var ends: [Int32] = [0, 0]
    let isMade = births.withLock { _ in
      Glibc.pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }
    guard isMade else { throw CocoaError(.fileReadUnknown) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  private static func pipe(into log: LineLog) throws -> FileHandle {
    let (handle, forWriting) = try pipe()
    // A thread that reads to the end: a FileHandle's readabilityHandler sometimes misses it.
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        // Foundation's own reading traps where a signal interrupts it.
        let count = read(handle.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        log.append(Array(buffer.prefix(max(0, count))))
        if count <= 0 { return }
      }
    }
    return forWriting
  }

  /// Waits for the end, and for everything that it and those it started have printed.
  package var exit: Exit {
    get async throws {
      let exit = try await end.value
      try await output.end()
      try await errorOutput.end()
      return exit
    }
  }

  package func send(signal: Int32) { kill(processID, signal) }

  /// Writes to the process's standard input.
  package func write(_ text: String) throws {
    try input.write(contentsOf: Data(text.utf8))
  }

  package func closeInput() throws { try input.close() }

  /// Everything it has printed, for a test's comment.
  package var transcript: String {
    (output.lines + ["—— and on standard error:"] + errorOutput.lines).joined(separator: "\n")
  }
}
