import Glibc

/// The process's standard error.
package enum StandardError {
  /// Writes a text in one piece, so that the lines of several threads and processes do not mix. What
  /// cannot be written is dropped: there is nowhere to say so.
  package static func write(_ text: String) {
    _ = StandardStream.write(text, to: STDERR_FILENO)
  }
}

/// The process's standard output.
package enum StandardOutput {
  /// Writes a text in one piece.
  ///
  /// - Throws: `StandardOutputError` when not all of it could be written, so that a listing on a full
  ///   disk does not pass for a whole one.
  package static func write(_ text: String) throws(StandardOutputError) {
    let code = StandardStream.write(text, to: STDOUT_FILENO)
    guard code == 0 else { throw StandardOutputError(code: code) }
  }
}

/// Standard output could not be written.
package struct StandardOutputError: Error, Hashable, CustomStringConvertible {
  /// The system's number for what went wrong.
  package var code: Int32

  package var description: String {
    "standard output cannot be written: \(String(cString: strerror(code)))"
  }
}

enum StandardStream {
  /// Opens those of the three standard streams that the process was started without, so that nothing
  /// else gets their numbers, and with them what is printed. Nothing can be read from them or written.
  static func openMissing() {
    var descriptor: Int32
    repeat { descriptor = open("/dev/null", O_RDONLY) } while (0...STDERR_FILENO) ~= descriptor
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// - Returns: The system's number for what went wrong; 0 when all of the text was written.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
